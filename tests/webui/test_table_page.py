"""The table page in a real browser: what changed since one looked, whose turn it is as a picture, the last roll."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Response, request

from engine.game import games
from tests.waiting import until
from tests.webui.hands import come_in
from tests.webui.phone import WIDTH, Phone
from tests.webui.stage import CODE, Served, Stage, some_dice

PUT_DOWN = """
const down = arguments[0];
Object.defineProperty(document, 'hidden', {configurable: true, get: () => down});
document.dispatchEvent(new Event('visibilitychange'));
"""


@pytest.fixture(scope="module")
def phone() -> Iterator[Phone]:
    one = Phone()
    yield one
    one.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    stage = Stage(tmp_path, trust_loopback=False)
    stage.open_game()
    server = Served(stage)
    yield server
    server.close()
    stage.close()


def test_a_seat_stays_taken_when_what_was_asked_for_before_is_answered_after(phone: Phone, house: Served) -> None:
    asked, sat, later = threading.Event(), threading.Event(), threading.Event()

    @house.stage.app.before_request
    def hold() -> None:
        if "since" not in request.args:
            return
        if sat.is_set():
            later.set()
        asked.set()
        sat.wait(30)

    phone.browser.delete_all_cookies()
    phone.open(f"{house.url}/join?code={CODE}")
    phone.open(f"{house.url}/?live=0")
    assert asked.wait(30)
    phone.tap("[data-sit='1']")
    until(lambda: not phone.all("#who"), "the seat")
    sat.set()
    assert later.wait(30), "the late answer is here"
    phone.open(house.url)
    until(lambda: phone.all("#prompt h1"))
    assert phone.sees("Bia", "#where")
    assert not phone.all("#who")


def test_a_phone_that_cannot_ask_who_it_is_learns_it_from_its_stream(phone: Phone, house: Served) -> None:
    joining, moved = threading.Event(), threading.Event()
    lost = []

    @house.stage.app.after_request
    def late(response: Response) -> Response:
        if request.path == "/api/join" and request.json.get("seat") is not None:
            joining.set()
            moved.wait(30)
        if request.path == "/api/state" and moved.is_set() and not lost:
            lost.append(response)
            return Response(status=503)
        return response

    phone.browser.delete_all_cookies()
    phone.open(f"{house.url}/join?code={CODE}")
    phone.open(house.url)
    until(lambda: phone.run("return document.documentElement.dataset.live") == "stream")
    phone.tap("[data-sit='1']")
    assert joining.wait(30)
    house.stage.roll()
    phone.waits_for("Ana takes two dice", "#prompt")
    moved.set()  # the answer to the tap is older than what the phone knows by now, and the next one goes missing
    until(lambda: not phone.all("#who"), "the seat")
    assert lost
    phone.complaints()


def test_a_phone_that_is_looked_at_again_says_what_changed(phone: Phone, house: Served) -> None:
    stage = house.stage
    come_in(phone, house, 1)
    phone.waits_for("Ana draws 12 dice", "#prompt")
    assert not phone.all("#news")
    phone.run(PUT_DOWN, True)
    stage.roll()
    stage.take()
    phone.run(PUT_DOWN, False)
    phone.waits_for("Since you looked", "#news")
    told = phone.run("return [...document.querySelectorAll('#news p')].map((line) => line.textContent)")
    assert told == [line["text"] for line in stage.table.log()[1::-1]], "as the log says it, oldest first"
    phone.tap("[data-key='news-away']")
    until(lambda: not phone.all("#news"))
    stage.take()
    until(lambda: phone.sees(stage.table.log()[0]["text"], "#recent"))
    phone.open(house.url)
    until(lambda: phone.all("#prompt h1"))
    assert not phone.all("#news"), "what happened under one's eyes is no news"


def test_what_came_and_went_while_nobody_looked_is_no_news(phone: Phone, house: Served) -> None:
    stage = house.stage
    come_in(phone, house, 1)
    phone.waits_for("Ana draws 12 dice", "#prompt")
    stage.roll()
    phone.waits_for("Ana takes two dice", "#prompt")
    phone.open("about:blank")
    stage.take()
    stage.table.undo()
    phone.open(house.url)
    phone.waits_for("Ana takes two dice", "#prompt")
    assert not phone.all("#news")
    phone.open("about:blank")
    stage.table.undo()
    phone.open(house.url)
    phone.waits_for("Undone: Ana rolled 12 dice", "#news")


def test_what_happened_moves_nothing_that_is_about_to_be_tapped(phone: Phone, house: Served) -> None:
    stage = house.stage
    come_in(phone, house, 1)
    phone.waits_for("Ana draws 12 dice", "#prompt")
    stage.roll()
    stage.take()
    phone.waits_for("Your turn: take two dice", "#prompt")
    phone.open("about:blank")
    while stage.table.now().state.phase == "take":
        stage.take()
    stage.reader.dice = some_dice(12)
    stage.station.press()
    phone.open(house.url)
    phone.waits_for("Since you looked", "#news")
    until(lambda: phone.all("svg.photo"))
    place = "return Math.round(document.querySelector(arguments[0]).getBoundingClientRect().top + scrollY)"
    lies = phone.run(place, "svg.photo")
    assert phone.run(place, "#news") > lies, "the roll that waits for an answer comes first"
    phone.tap("[data-key='news-away']")
    until(lambda: not phone.all("#news"))
    assert phone.run(place, "svg.photo") == lies
    stage.station.discard()
    phone.waits_for("12 dice", "#prompt")
    phone.run(PUT_DOWN, True)
    stage.roll()
    phone.run(PUT_DOWN, False)
    phone.waits_for("rolled 12 dice", "#news")
    lies = phone.run(place, "#board")
    stage.take()
    until(lambda: phone.sees(stage.table.log()[0]["text"], "#recent"))
    assert phone.run(place, "#board") == lies, "no line is added under the eyes of who reads"


def test_many_changes_are_cut_short_and_another_game_begins_anew(phone: Phone, house: Served) -> None:
    stage = house.stage
    come_in(phone, house, 0)
    phone.waits_for("draw 12 dice", "#prompt")
    phone.open("about:blank")
    stage.roll()
    for _ in range(4):
        stage.take()
    phone.open(house.url)
    phone.waits_for("2 more turns", "#news")
    assert phone.all("#news a")[0].size["height"] >= 44
    phone.open("about:blank")
    stage.table.open_game("carnavalesco", {"players": [{"name": "Ana"}, {"name": "Caio"}]}, abandon=True)
    phone.open(house.url)
    until(lambda: phone.all("#prompt h1"))
    assert not phone.all("#news")


def test_who_leads_is_told_where_scores_are_open(phone: Phone, house: Served) -> None:
    table, game = house.stage.table, games()["carnival_of_sins"]
    table.open_game("carnival_of_sins", {"players": [{"name": "Ana"}, {"name": "Bia"}]}, abandon=True)
    come_in(phone, house, 0)
    until(lambda: phone.all("#scores-part [data-score]"))
    assert not phone.all("#scores-part .ahead")
    assert phone.run("return [...document.querySelectorAll('#scores-part strong')].map((e) => e.textContent)") == [
        "0",
        "0",
    ]
    phone.open("about:blank")
    while game.scoreboard(table.state)["players"][0]["total"] == game.scoreboard(table.state)["players"][1]["total"]:
        if game.expects(table.state) is not None:
            table.apply(game.roll_move(table.state, game.sample_roll(table.state, lambda most: most // 2)))
        else:
            table.apply(next(iter(game.legal_moves(table.state))))
    totals = [player["total"] for player in game.scoreboard(table.state)["players"]]
    ahead = ["Ana", "Bia"][totals.index(max(totals))]
    phone.open(house.url)
    phone.waits_for(f"{ahead} leads.", "#news")
    until(lambda: phone.sees(str(max(totals)), "#scores-part .ahead"))


def test_the_scores_of_carnavalesco_stay_a_secret_until_somebody_asks(phone: Phone, house: Served) -> None:
    house.stage.roll()
    house.stage.take()
    come_in(phone, house, 0)
    until(lambda: phone.all("#board .board"))
    assert not phone.all("[data-score]")


def test_the_prompt_draws_whose_turn_it_is_and_the_dice_that_are_waited_for(phone: Phone, house: Served) -> None:
    stage = house.stage
    come_in(phone, house, 1)
    letter = "return document.querySelector(arguments[0])?.textContent"
    until(lambda: phone.run(letter, "#prompt .round .acts") == "A")
    assert phone.run(letter, "#prompt .round .own") == "B"
    assert phone.sees("× 12", "#prompt .awaited")
    stage.roll()
    until(lambda: not phone.all("#prompt .awaited"))
    stage.take()
    until(lambda: phone.run(letter, "#prompt .round .acts") == "B")
    setup = {"players": [{"name": name} for name in ("Ana", "Bia", "Caio", "Duda", "Eva")]}
    stage.table.open_game("carnival_of_sins", setup, abandon=True)
    until(lambda: len(phone.all("#prompt .awaited .die")) == 7)
    assert len(phone.all("#prompt .round .chair")) == 5


def test_the_last_roll_stays_visible_with_its_photograph(phone: Phone, house: Served) -> None:
    stage = house.stage
    stage.reader.dice = some_dice(12)
    come_in(phone, house, 0)
    phone.tap("#capture")
    phone.waits_for("Confirm 12 dice", "#confirm")
    phone.tap("#confirm")
    phone.waits_for("Your turn: take two dice", "#prompt")
    until(lambda: phone.all("#last-roll details"))
    assert not phone.all("#last-roll .die"), "while its dice are shared out it lies at the top"
    assert not phone.all("#last-roll img"), "a photograph is fetched when it is asked for"
    phone.tap("#last-roll summary")
    until(lambda: phone.run("return document.querySelector('#last-roll img')?.naturalWidth > 0"))
    while stage.table.now().state.phase == "take":
        stage.take()
    until(lambda: len(phone.all("#last-roll .die")) == 12)
    assert phone.sees("The last roll", "#last-roll")
    assert phone.all("#last-roll details[open]"), "what was opened stays open"


def test_a_sentence_that_passes_by_stands_on_the_bar_and_goes_away_when_tapped(phone: Phone, house: Served) -> None:
    come_in(phone, house, 0)
    phone.open(f"{house.url}/?new")
    phone.waits_for("The new game is open.", "#says")
    until(lambda: phone.run("return document.getElementById('bar').offsetHeight") > 0)
    edges = (
        "const edges = (one) => document.querySelector(one).getBoundingClientRect();"
        "return [edges('#bar').top - edges('#says button').bottom, innerHeight - edges('#bar').bottom].map(Math.round)"
    )
    until(lambda: phone.run(edges) == [8, 0], "the sentence 8 pixels above the bar, and that at the bottom")
    phone.tap("#says button")
    assert not phone.all("#says button")


@pytest.mark.parametrize("width", [320, 1280])
def test_everything_fits(phone: Phone, house: Served, width: int) -> None:
    stage = house.stage
    come_in(phone, house, 0)
    phone.open("about:blank")
    stage.roll()
    stage.take()
    phone.tool("Emulation.setDeviceMetricsOverride", width=width, height=640, deviceScaleFactor=1, mobile=width < 999)
    try:
        phone.open(house.url)
        phone.waits_for("Since you looked", "#news")
        assert phone.run("return document.documentElement.scrollWidth") <= width
        small = phone.run(
            "return [...document.querySelectorAll('main button, main summary, .bar button, #news a')]"
            ".filter((e) => e.offsetParent && e.offsetHeight < 48).map((e) => e.outerHTML.slice(0, 90))"
        )
        assert not small
    finally:
        phone.tool("Emulation.setDeviceMetricsOverride", width=WIDTH, height=844, deviceScaleFactor=2, mobile=True)
