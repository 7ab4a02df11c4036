"""The big screen: it goes with the table by itself, fits without scrolling, and is in step with what is read aloud."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.game import games, sample_setups
from engine.selfplay import next_move
from tests.waiting import until
from tests.webui.hands import put_down
from tests.webui.phone import Phone
from tests.webui.stage import CODE, Served, Stage, some_dice

SIZES = [(1280, 800), (1920, 1080), (800, 1280)]
NAMES = ("Ana", "Bia", "Caio", "Dora", "Eva", "Fábio")


@pytest.fixture(scope="module")
def one_screen() -> Iterator[Phone]:
    one = Phone()
    yield one
    one.close()


@pytest.fixture
def screen(one_screen: Phone) -> Iterator[Phone]:
    turn(one_screen, 1280, 800)
    yield one_screen
    put_down(one_screen)


def turn(screen: Phone, width: int, height: int) -> None:
    screen.tool("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)


def setup(key: str, players: int) -> dict[str, Any]:
    found = dict(dict(sample_setups(games()[key]))[players])
    named = [{**player, "name": name} for player, name in zip(found["players"], NAMES, strict=False)]
    return {**found, "players": named}


def play(stage: Stage, moves: int) -> None:
    """Let chance play so many moves of the open game, the same each time, or to its end."""
    chance = random.Random(5)
    for _ in range(moves):
        now = stage.table.now()
        if stage.table.outcome is not None:
            return
        stage.table.apply(next_move(now.game, now.state, chance))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("key", "players", "moves"),
    [("carnavalesco", 3, 50), ("carnavalesco", 4, 61), ("carnival_of_sins", 5, 30), ("roda_de_samba", 3, 80)],
)
def test_a_game_in_its_middle_fits_the_screen(
    screen: Phone, served: Served, key: str, players: int, moves: int, size: tuple[int, int]
) -> None:
    turn(screen, *size)
    served.stage.table.open_game(key, setup(key, players))
    play(served.stage, moves)
    screen.open(f"{served.url}/tv")
    until(lambda: screen.run("return document.body.dataset.scene") == "play")
    until(lambda: screen.run("return document.getElementById('boards').childElementCount") > 0)
    wide, tall = screen.run("return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert (wide, tall) <= size
    assert tall <= size[1], "nobody is there to scroll"
    name = served.stage.table.now().game.prompt(served.stage.table.state).text.split()[0]
    screen.waits_for(name, "#prompt")
    screen.waits_for(CODE, ".corner")
    smallest = screen.run(
        "return Math.min(...[...document.querySelectorAll('#prompt h1, .panel h2, .order li, #sheet td')]"
        ".filter((e) => e.offsetParent).map((e) => parseFloat(getComputedStyle(e).fontSize)))"
    )
    assert smallest >= 24, "what to do, the names and the points are read from three metres"


@pytest.mark.parametrize("size", SIZES)
def test_between_two_rounds_the_reasons_of_the_last_lie_where_the_dice_lay(
    screen: Phone, served: Served, size: tuple[int, int]
) -> None:
    turn(screen, *size)
    table, chance = served.stage.table, random.Random(5)
    table.open_game("carnival_of_sins", setup("carnival_of_sins", 5))
    while len((view := table.game.view(table.state))["sheet"]) < 2 or view["phase"] != "roll":
        table.apply(next_move(table.game, table.state, chance))
    screen.open(f"{served.url}/tv")
    screen.waits_for("Round 2, white die", "#work")
    assert all(screen.sees(why, "#work") for why in view["sheet"][1]["why"])
    assert not screen.all("#boards details"), "nobody is there to open it"
    assert screen.run("return document.documentElement.scrollHeight") <= size[1]
    table.apply(next_move(table.game, table.state, chance))
    until(lambda: screen.all("#work .chip"))
    assert not screen.all("#why"), "the dice have the room"


def test_the_photograph_is_shown_while_a_roll_is_asked_about(screen: Phone, served: Served) -> None:
    stage = served.stage
    stage.open_game()
    screen.open(f"{served.url}/tv")
    screen.waits_for("Ana", "#prompt")
    stage.reader.dice, stage.reader.doubts = some_dice(12), {4}
    stage.app.test_client().post("/api/capture", json=stage.sent())
    screen.waits_for("Is this the roll?", "#prompt")
    until(lambda: screen.all("svg.photo image"))
    assert len(screen.all("#work .chip")) == 12
    assert len(screen.all("#work .chip.doubtful")) == 1
    assert not screen.all("#work button:not(.photo *)"), "there is nothing to touch"
    assert not screen.all("#boards .panel"), "the photograph has the room"


def test_marks_are_read_in_step_with_the_phones(screen: Phone, served: Served) -> None:
    stage = served.stage
    stage.open_game()
    stage.play_to_the_end()
    client = stage.app.test_client()
    total = str(stage.table.now().game.scoreboard(stage.table.state)["players"][0]["total"])
    screen.open(f"{served.url}/tv")
    screen.waits_for("The judges are ready", "#work")
    for step in range(1, 10):
        assert client.post("/api/ceremony", json=stage.sent(step=step)).status_code == 200
        screen.waits_for(f"{step} of 9", "#work")
        tops = screen.run("return [...document.querySelectorAll('.envelope')].map((card) => card.offsetTop)")
        assert len(tops) == 2
        assert len(set(tops)) == 1, "all schools side by side"
    assert client.post("/api/ceremony", json=stage.sent(step=10)).status_code == 200
    screen.waits_for("Champion of Carnaval", "#work")
    screen.waits_for(total, "#work")
    assert client.post("/api/ceremony", json=stage.sent(step=11)).json["error"]["field"] == "step"


def test_the_ceremony_goes_on_after_a_restart_and_the_screen_by_itself(screen: Phone, tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    house = Served(stage)
    port = int(house.url.rsplit(":", 1)[1])
    stage.open_game()
    stage.play_to_the_end()
    stage.table.hear("parade 1", 4)
    screen.open(f"{house.url}/tv")
    screen.waits_for("4 of 9", "#work")
    house.close()
    stage.close()
    stage = Stage(tmp_path)
    house = Served(stage, port=port)
    try:
        assert stage.table.heard == ("parade 1", 4)
        stage.table.hear("parade 1", 5)
        until(lambda: screen.sees("5 of 9", "#work"), seconds=20)
    finally:
        put_down(screen)
        house.close()
        stage.close()


def test_no_marks_are_read_of_a_game_that_is_played(stage: Stage) -> None:
    client = stage.app.test_client()
    for game in (None, "carnavalesco"):
        if game is not None:
            stage.open_game()
        refused = client.post("/api/ceremony", json=stage.sent(step=1))
        assert (refused.status_code, refused.json["error"]["code"]) == (422, "nothing_judged")
    assert client.get("/api/state").json["game"]["heard"] == {"step": 0, "marks": 0}
    stage.table.open_game("carnival_of_sins", setup("carnival_of_sins", 2), abandon=True)
    assert client.get("/api/state").json["game"]["heard"] is None


def test_two_who_press_at_once_read_one_mark(stage: Stage) -> None:
    stage.open_game()
    stage.play_to_the_end()
    client = stage.app.test_client()
    first, second = stage.sent(step=1), stage.sent(step=1)
    assert client.post("/api/ceremony", json=first).status_code == 200
    assert client.post("/api/ceremony", json=second).status_code == 409
    assert stage.table.heard == ("parade 1", 1)
    assert "heard" not in {line["kind"] for line in stage.table.log()}, "no turn was made"


@pytest.mark.parametrize(("language", "words"), [("pt", "Entre com seu celular"), ("es", "Entra con tu móvil")])
def test_the_address_says_the_language_and_the_screen_keeps_it(
    screen: Phone, served: Served, language: str, words: str
) -> None:
    served.stage.open_game()
    screen.open(f"{served.url}/watch?lang={language}")
    until(lambda: screen.run("return location.pathname + location.search") == f"/tv?lang={language}")
    screen.waits_for(words, ".corner")
    told = screen.run("return document.querySelector('#prompt h1').textContent")
    served.stage.roll()
    until(lambda: screen.run("return document.querySelector('#prompt h1').textContent") != told)
    assert not screen.sees("takes two dice"), "news come in that language as well"
    screen.browser.delete_all_cookies()


def test_with_no_game_open_the_way_in_is_large(screen: Phone, served: Served) -> None:
    screen.open(f"{served.url}/tv")
    screen.waits_for("No game is open", "#prompt")
    assert screen.run("return document.querySelector('.qr').getBoundingClientRect().width") > 400
    served.stage.open_game()
    screen.waits_for("Ana", "#prompt")
    assert screen.run("return document.querySelector('.qr').getBoundingClientRect().width") < 140
