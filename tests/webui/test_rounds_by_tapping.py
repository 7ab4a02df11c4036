"""A whole round of each game, tapped on a small phone and on a large screen; every step is kept as a picture."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.waiting import until
from tests.webui import screens
from tests.webui.axe import violations
from tests.webui.hands import choose, put_down, tap_drawn
from tests.webui.phone import Phone
from tests.webui.stage import Served, some_dice


@pytest.fixture(scope="module")
def phone() -> Iterator[Phone]:
    one = Phone()
    yield one
    one.close()


class Round:
    """One round that is tapped, step by step."""

    def __init__(self, phone: Phone, house: Served, size: str) -> None:
        self.phone, self.house, self.size = phone, house, size
        self.game = ""
        self.steps = 0
        self.wrong: list[str] = []

    def step(self, name: str) -> None:
        """Keep what the page shows now, and check that it is for everybody."""
        self.steps += 1
        self.wrong += [f"{self.steps} {name}: {one}" for one in violations(self.phone)]
        screens.keep_all(self.phone, f"{self.game} round {self.steps:02} {name}", self.size)

    def start(self, game: str, *names: str) -> None:
        """Go from the table's page to the filled-in form of a new game."""
        phone, self.game = self.phone, game
        phone.open(self.house.url)
        phone.tap("a[href='/new'].main")
        until(lambda: phone.all("[data-game]"))
        self.step("which game")
        phone.tap(f"[data-game='{game}']")
        until(lambda: len(phone.all("[data-name]")) == 2)
        for _ in names[2:]:
            phone.tap("#add-player")
        for field, name in zip(phone.all("[data-name]"), names, strict=True):
            field.send_keys(name)
        self.step("who plays")

    def type_roll(self, *dice: tuple[str, int]) -> None:
        """Type a roll of dice that are all different."""
        self.phone.tap("#by-hand")
        for name, value in dice:
            self.phone.tap(f"[data-typing='{name}'] [data-face='{value}']")
        until(lambda: self.phone.all("#confirm:not([disabled])"))
        self.phone.tap("#confirm")


@pytest.fixture(params=screens.SIZES)
def tapped(phone: Phone, served: Served, request: pytest.FixtureRequest) -> Iterator[Round]:
    screens.become(phone, request.param)
    one = Round(phone, served, request.param)
    yield one
    complaints = [line for line in phone.complaints() if "favicon" not in line]
    phone.likes()
    put_down(phone)
    assert not complaints
    assert not one.wrong, "\n".join(one.wrong)


def test_a_round_of_carnavalesco(tapped: Round) -> None:
    phone, stage = tapped.phone, tapped.house.stage
    tapped.start("carnavalesco", "Ana", "Bia")
    phone.tap("#start")
    phone.waits_for("Ana draws 12 dice", "#prompt")
    tapped.step("draw")
    stage.reader.dice, stage.reader.doubts = some_dice(12), {4}
    phone.tap("#capture")
    phone.waits_for("Is this the roll?", "#prompt")
    tapped.step("is this the roll")
    phone.tap("#right")
    until(lambda: phone.all("#confirm:not([disabled])"))
    tapped.step("confirm")
    phone.tap("#confirm")
    phone.waits_for("Ana takes two dice", "#prompt")
    tapped.step("take")
    picks = 0
    while stage.table.now().state.phase == "take":
        version = stage.table.version
        for _ in range(2):
            phone.tap("[data-die]:not([disabled]):not(.placed)")
            until(lambda: phone.all(".element.open"))
            if picks == 0:
                tapped.step("where to")
            phone.tap(".element.open")
        until(lambda: phone.all("#take:not([disabled])"))
        if picks == 0:
            tapped.step("confirm two dice")
        phone.tap("#take")
        until(lambda version=version: stage.table.version > version)
        until(lambda: not phone.all(".chip.placed"))
        picks += 1
    phone.waits_for("draws 12 dice", "#prompt")
    tapped.step("next round")
    assert picks >= 4
    assert sum(board.placed for board in stage.table.now().state.boards) == 2 * picks


def test_a_round_of_carnival_of_sins(tapped: Round) -> None:
    phone, stage = tapped.phone, tapped.house.stage
    tapped.start("carnival_of_sins", "Ana", "Beatriz", "Caio")
    phone.tap("#start")
    phone.waits_for("Ana has the Devil Card", "#prompt")
    tapped.step("the devil rolls")
    values = {"d4": 3, "d6": 6, "d8": 6, "d10": 9, "d12": 1, "d20": 15}
    tapped.type_roll(*((f"black-{shape}", value) for shape, value in values.items()), ("white-d6", 4))
    phone.waits_for("Ana reveals a sin", "#prompt")
    tapped.step("ana reveals")
    phone.tap("[data-sin='greed']")
    phone.waits_for("Greed: take the d6, the d8", "#bar")
    tapped.step("greed")
    phone.tap("#reveal")
    phone.waits_for("Beatriz reveals a sin", "#prompt")
    phone.tap("[data-sin='wrath']")
    phone.tap("#lying [data-die='d6']")
    tapped.step("wrath")
    phone.tap("#reveal")
    phone.waits_for("throws the d6 by Wrath", "#prompt")
    phone.tap("[data-knock='d8']")
    phone.waits_for("and the d8", "#prompt")
    tapped.step("the throw")
    tapped.type_roll(("black-d6", 2), ("black-d8", 7))
    phone.waits_for("Caio reveals a sin", "#prompt")
    phone.tap("[data-sin='pride']")
    phone.tap("#reveal")
    phone.waits_for("has the Devil Card", "#prompt")
    tapped.step("the sheet")
    assert len(stage.table.now().state.rounds) == 1


def test_a_round_of_roda_de_samba(tapped: Round) -> None:
    phone, stage = tapped.phone, tapped.house.stage
    tapped.start("roda_de_samba", "Ana", "Bia")
    type_into(phone, "#pile-instrument", "pandeiro")
    type_into(phone, "#pile-number", "2")
    choose(phone, "#pile-colour", "red")
    phone.tap("#start")
    for name, instrument, colour in (("Ana", "surdo", "green"), ("Bia", "cuíca", "blue")):
        phone.waits_for(f"{name} draws", "#prompt")
        tapped.step(f"{name} draws")
        phone.tap("[data-draw='deck']")
        phone.waits_for(f"{name} plays", "#prompt")
        tapped.step(f"{name} plays")
        type_into(phone, "#entry-instrument", instrument)
        choose(phone, "#entry-colour", colour)
        phone.tap("[data-key='entry-number-3']")
        tap_drawn(phone, "[data-key='entry-space-4']")
        tapped.step(f"{name} has chosen")
        phone.tap("#entry-play")
        phone.waits_for(f"{name} may invite", "#prompt")
        tapped.step(f"{name} may invite")
        phone.tap("#malandro summary")
        phone.tap("#entry-malandro")
    phone.waits_for("Ana draws", "#prompt")
    tapped.step("next round")
    circles = [player["circle"] for player in stage.table.game.view(stage.table.state)["players"]]
    assert [circle[4]["instrument"] for circle in circles] == ["surdo", "cuíca"]


def type_into(phone: Phone, selector: str, words: str) -> None:
    until(lambda: phone.all(selector))
    phone.all(selector)[0].send_keys(words)
