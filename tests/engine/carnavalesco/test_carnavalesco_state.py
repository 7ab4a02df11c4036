"""A state is one line of text and back, to the byte; a text that is no state is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.carnavalesco.division import strip_json
from engine.game import InvalidInput, canonical_json
from tests.engine.carnavalesco.parade import GAME, playout, setup


@settings(max_examples=25)
@given(
    seats=st.integers(1, 5),
    seed=st.integers(0, 10_000),
    names=st.lists(st.text(min_size=1, max_size=8), min_size=5, max_size=5, unique_by=str.strip),
    rules=st.fixed_dictionaries(
        {},
        optional={
            "progression.ordered_spaces": st.sampled_from(["off", "on"]),
            "storyline.twin": st.sampled_from(["presence", "physical"]),
            "song.mode": st.sampled_from(["per_die", "uniform"]),
        },
    ),
    table=st.sampled_from(["user", "practice", "manual"]),
)
def test_state_to_text_to_state_is_exact(
    seats: int, seed: int, names: list[str], rules: dict[str, Any], table: str
) -> None:
    start = setup(seats, house_rules=rules, extra_board=seats == 5)
    for player, name in zip(start["players"], names, strict=False):
        player["table"] = table
        if name.isprintable() and name.strip():
            player["name"] = name
    for step, (state, _) in enumerate(playout(start, seed)):
        if step % 7 and state.phase != "finished":
            continue
        text = GAME.dump(state)
        assert "\n" not in text
        assert GAME.load(text) == state
        assert GAME.dump(GAME.load(text)) == text


def test_strips_and_typed_bases_survive() -> None:
    *_, (state, _) = playout(setup(2), seed=2)
    strip = dict(
        zip(strip_json((0,) * 21), [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 6, 7, 7, 8, 8, 9, 9], strict=True)
    )
    state = GAME.apply(state, {"move": "strip", "division": "D", "numbers": strip})
    state = GAME.apply(state, {"move": "base", "seat": 1, "element": "drums", "base": 4})
    assert GAME.load(GAME.dump(state)) == state


def broken_texts() -> list[str]:
    states = [state for state, _ in playout(setup(2), seed=2)]
    good = json.loads(GAME.dump(states[2]))
    changes: list[Any] = [
        {"game": "chess"},
        {"version": 2},
        {"round": 10},
        {"round": True},
        {"first": 2},
        {"boards": []},
        {"boards": [{}, {}]},
        {"counters": [0]},
        {"roll": good["roll"][:-1]},
        {"roll": [["red", 7], *good["roll"][1:]]},
        {"taken": [[0, "sky"], *good["taken"][1:]]},
        {"taken": [[5, "drums"], *good["taken"][1:]]},
        {"typed": [{"drums": [11, 8]}, {}]},
        {"extra": 1},
        {"setup": {**good["setup"], "first": 9}},
    ]
    missing = {key: value for key, value in good.items() if key != "boards"}
    return [
        "",
        "{",
        "[]",
        "null",
        "7",
        json.dumps(good),  # the same, but not as it was written
        *[canonical_json({**good, **change}) for change in changes],
        canonical_json(missing),
    ]


@pytest.mark.parametrize("text", broken_texts())
def test_a_text_that_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        GAME.load(text)
