"""Two phones at one table in the games beside Carnavalesco: each its own hand, each its own turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.game import games
from tests.waiting import until
from tests.webui.hands import come_in, put_down
from tests.webui.phone import Phone
from tests.webui.stage import Served, Stage


@pytest.fixture(scope="module")
def phones() -> Iterator[tuple[Phone, Phone]]:
    first, second = Phone(), Phone()
    yield first, second
    first.close()
    second.close()


@pytest.fixture
def house(tmp_path: Path, phones: tuple[Phone, Phone]) -> Iterator[Served]:
    stage = Stage(tmp_path, trust_loopback=False)
    server = Served(stage)
    yield server
    put_down(*phones)
    server.close()
    stage.close()


def test_each_phone_shows_its_own_hand_alone(phones: tuple[Phone, Phone], house: Served) -> None:
    ana, bia = phones
    table, game = house.stage.table, games()["carnival_of_sins"]
    table.open_game("carnival_of_sins", {"players": [{"name": "Ana"}, {"name": "Bia"}]})

    def roll() -> None:
        table.apply(game.roll_move(table.state, game.sample_roll(table.state, lambda most: 0)))

    def reveal(sin: str) -> None:
        table.apply(next(move for move in game.legal_moves(table.state) if move.get("sin") == sin))

    roll()
    reveal("greed")
    reveal("envy")
    roll()
    come_in(ana, house, 0)
    come_in(bia, house, 1)
    bia.waits_for("Your turn: reveal a sin", "#prompt")
    assert len(bia.all("[data-sin]")) == 6, "one's own hand needs no tap"
    assert not bia.all("[data-sin='envy']")
    ana.waits_for("Waiting for Bia", "#bar")
    assert not ana.all("[data-sin]")
    ana.tap("#act-for")
    ana.waits_for("You are acting for Bia", "#seat")
    until(lambda: len(ana.all("[data-sin]")) == 7)
    ana.tap("[data-sin='envy']")
    ana.tap("#reveal")
    ana.waits_for("has played Envy before", "#says")
    assert table.game.view(table.state)["plays"] == [], "a sin that was played before is refused"
    ana.complaints()
    bia.tap("[data-sin='pride']")
    bia.tap("#reveal")
    ana.tap("#act-own")
    ana.waits_for("Your turn: reveal a sin", "#prompt")
    assert len(ana.all("[data-sin]")) == 6
    assert not [line for phone in phones for line in phone.complaints() if "favicon" not in line]


def test_a_samba_on_two_phones_says_whose_turn_it_is(phones: tuple[Phone, Phone], house: Served) -> None:
    ana, bia = phones
    table = house.stage.table
    setup = {"players": [{"name": "Ana"}, {"name": "Bia"}], "house_rules": {"entry.detail": "circles"}}
    table.open_game("roda_de_samba", {**setup, "deck": "example"})
    come_in(ana, house, 0)
    come_in(bia, house, 1)
    ana.waits_for("Your turn: play cards of one instrument", "#prompt")
    bia.waits_for("Waiting for Ana", "#bar")
    assert not bia.all("#entry-play")
    ana.tap("[data-instrument='pandeiro']")
    ana.tap("[data-key='entry-number-2']")
    ana.tap("[data-key='entry-space-0']")
    ana.tap("#entry-play")
    ana.waits_for("then end the turn", "#prompt")
    ana.tap("#end-turn")
    bia.waits_for("Your turn: play cards of one instrument", "#prompt")
    ana.waits_for("Waiting for Bia", "#bar")
    assert not [line for phone in phones for line in phone.complaints() if "favicon" not in line]
