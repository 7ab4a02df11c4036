"""The page that says whether the dice are fair: what it counts, and what it says."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from engine.dice import Die
from engine.rolls import DEMO
from tests.webui.stage import Stage, some_dice
from webui.fairness_page import percent

ROLL = [{"colour": die.colour, "value": die.value} for die in some_dice(12)]


def thrown(page: str) -> dict[str, int]:
    """Return how many throws the page counts of each kind."""
    return {
        kind: int(count) for kind, count in re.findall(r'data-kind="([^"]+)".*?(\d+) throws?</span>', page, re.DOTALL)
    }


def roll(stage: Stage, value: int | None = None, source: str | None = "camera") -> int:
    dice = [{**die, "value": value or die["value"]} for die in ROLL]
    return stage.table.apply({"move": "roll", "dice": dice}, source=source).seq


def test_every_confirmed_roll_counts_as_corrected_and_undone_ones_too(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    seq = roll(stage, 1)
    stage.table.correct(seq, 0, Die(ROLL[0]["colour"], 5))
    stage.table.undo()
    roll(stage, 2)
    page = phone.get("/fairness").text
    assert thrown(page) == {f"{colour} d6": 4 for colour in ("red", "yellow", "green", "blue", "white", "black")}
    first = page.split('data-kind="red d6"')[1]
    assert re.findall(r'<th scope="row">(\d)</th><td class="number">(\d+)</td>', first)[:6] == [
        ("1", "1"),
        ("2", "2"),
        ("3", "0"),
        ("4", "0"),
        ("5", "1"),
        ("6", "0"),
    ]
    stage.table.undo()
    roll(stage, 2)
    assert thrown(phone.get("/fairness").text)["red d6"] == 4, "the same dice read again are one throw"


def test_the_demo_stands_apart_and_typed_rolls_count(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    roll(stage, source=DEMO)
    page = phone.get("/fairness").text
    assert thrown(page) == {}
    assert "1 roll of the demo does not count" in page
    assert len(thrown(phone.get("/fairness?demo=1").text)) == 6
    stage.table.undo()
    roll(stage, 3, source="hand")
    page = phone.get("/fairness").text
    assert thrown(page)["red d6"] == 2
    assert "their dice were thrown: 1 of them" in page


def test_few_rolls_are_too_few_and_the_page_says_how_many_it_takes(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    roll(stage)
    page = phone.get("/fairness").text
    assert page.count('data-verdict="too-few"') == 6
    assert "Too few to tell: 2 throws." in page
    assert "257 throws are needed" in page
    assert '<svg class="plot"' in page


def test_loaded_dice_are_called_uneven_with_the_face_that_stands_out(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    for at in range(40):
        roll(stage, 6 if at % 2 else at % 6 + 1)
        stage.table.undo()
    page = phone.get("/fairness").text
    assert page.count('data-verdict="uneven"') == 6
    assert "6 kinds of dice look uneven, of 6 that can be judged." in page
    assert re.search(r"the 6 came 40 times, where 13\.3 were due", page)
    assert "allows for 6 kinds tested at once" in page
    assert "Ana throws high" in page


@pytest.mark.parametrize("language", ["pt", "es"])
def test_the_page_speaks_the_readers_language(stage: Stage, phone: FlaskClient, language: str) -> None:
    stage.open_game()
    roll(stage)
    phone.set_cookie("jurado_language", language)
    page = phone.get("/fairness").text
    assert "Too few to tell" not in page
    assert "257" in page


def test_shares_are_told_without_false_exactness(stage: Stage) -> None:
    with stage.app.test_request_context():
        assert [percent(share) for share in (0.5, 0.166, 0.0512, 0.004, 0.0002)] == [
            "50 %",
            "17 %",
            "5.1 %",
            "0.4 %",
            "less than 0.1 %",
        ]
