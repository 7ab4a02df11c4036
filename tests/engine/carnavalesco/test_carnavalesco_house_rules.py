"""House rules: every switch by its own name, its default first, and whatever is unknown named."""

from __future__ import annotations

from typing import Any

import pytest

from engine.carnavalesco.house_rules import BY_THE_BOOK, RULES, read_house_rules
from engine.game import InvalidInput
from engine.rules import HouseRule


def test_the_first_value_of_each_switch_is_its_default() -> None:
    assert read_house_rules({}) == read_house_rules(None) == BY_THE_BOOK
    assert BY_THE_BOOK.as_json() == {rule.key: rule.default for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.key)
def test_every_value_of_every_switch_is_known_and_written_back(rule: HouseRule) -> None:
    for value in rule.values:
        rules = read_house_rules({rule.key: value})
        assert rules.as_json() == {**BY_THE_BOOK.as_json(), rule.key: value}
        assert read_house_rules(rules.as_json()) == rules


def test_true_and_false_stand_for_on_and_off() -> None:
    assert read_house_rules({"progression.ordered_spaces": True}).ordered_spaces
    assert not read_house_rules({"progression.ordered_spaces": False}).ordered_spaces
    assert read_house_rules({"seats.max": "5"}).seats_max == 5


@pytest.mark.parametrize(
    ("given", "field", "names"),
    [
        ({"song.mode": "loud"}, "house_rules.song.mode", "per_die, uniform"),
        ({"song.mode": True}, "house_rules.song.mode", "per_die, uniform"),
        ({"seats.max": 6}, "house_rules.seats.max", "4, 5"),
        ({"seats.max": None}, "house_rules.seats.max", "4, 5"),
        ({"songs": "loud"}, "house_rules.songs", "song.mode"),
        (["song.mode"], "house_rules", "object"),
    ],
)
def test_what_is_unknown_is_named_with_what_is_known(given: Any, field: str, names: str) -> None:
    with pytest.raises(InvalidInput) as error:
        read_house_rules(given)
    assert error.value.field == field
    assert names in error.value.message
