"""Every page, in every state of every game: for everybody, light enough, and with nothing fetched from outside."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.game import games
from engine.selfplay import next_move
from tests.e2e.conftest import Product
from tests.waiting import until
from tests.webui import screens
from tests.webui.axe import violations
from tests.webui.hands import put_down
from tests.webui.opened import addresses, fetched
from tests.webui.phone import Phone
from tests.webui.stage import CODE, TWO, Served, Stage
from webui.first_run import TITLES

KEYS = ("carnavalesco", "carnival_of_sins", "roda_de_samba")

HEAVIEST = 150_000
"""Bytes that a page may weigh with all its scripts and styles, photographs aside."""

SMALL = """
const around = "button, .button, summary, select, input:not([type=hidden]), nav a, [role=button]";
return [...document.querySelectorAll(around)]
  .map((one) => one.closest("label.check, label.button, label.file") || one)
  .filter((one) => one.offsetParent && !one.disabled && !one.closest(".unseen"))
  .filter((one) => getComputedStyle(one).opacity !== "0" && !one.classList.contains("unseen"))
  .filter((one) => { const box = one.getBoundingClientRect(); return box.width < 47.5 || box.height < 47.5; })
  .map((one) => one.outerHTML.slice(0, 140));
"""

WIDE = """
const most = document.documentElement.clientWidth;
const scrolls = (one) => {
  for (let at = one.parentElement; at; at = at.parentElement) {
    if (["auto", "scroll", "hidden"].includes(getComputedStyle(at).overflowX)) return true;
  }
  return false;
};
const out = (one) => one.getBoundingClientRect().right > most + 1 && !scrolls(one) && !one.closest(".unseen, .sprite");
return document.documentElement.scrollWidth <= most ? []
  : [...document.querySelectorAll("body *")].filter(out).map((one) => one.outerHTML.slice(0, 140)).slice(-3);
"""

OPENED = "document.querySelectorAll('main details').forEach((one) => { one.open = true; });"


@pytest.fixture(scope="module")
def phone() -> Iterator[Phone]:
    one = Phone()
    one.tool("Network.enable")
    one.tool("Network.setCacheDisabled", cacheDisabled=True)
    yield one
    one.close()


@pytest.fixture
def wrong() -> Iterator[list[str]]:
    """Collects what is wrong on any page, so that one run tells all of it."""
    found: list[str] = []
    yield found
    assert not found, "\n".join(found)


class Looked:
    """Looks at the pages of the table at `url`, each in all ways, and tells what is wrong."""

    def __init__(self, phone: Phone, url: str, wrong: list[str], about: str) -> None:
        self.phone, self.url, self.wrong, self.about = phone, url, wrong, about

    def at(self, path: str, name: str = "", *, then: Callable[[], object] = lambda: None) -> None:
        """Open a page, do `then` on it, and look at it."""
        phone, where = self.phone, f"{self.about} {name or path}"
        screens.become(phone, "360x740")
        phone.likes(color_scheme="light", reduced_motion="reduce")
        phone.open(self.url + path)
        until(lambda: phone.run("return document.readyState") == "complete")
        # Modules run before `load`; what they begin to draw with is the state that lies in the page.
        then()
        foreign = [one for one in fetched(phone) if not one.startswith((self.url, "blob:", "data:"))]
        self.tell(where, "fetches from outside", foreign)
        weight = sum(size for one, size in fetched(phone).items() if "/photos/" not in one)
        self.tell(where, "is too heavy", [f"{weight} bytes"] if weight > HEAVIEST else [])
        phone.run(OPENED)
        self.tell(where, "light", violations(phone))
        # A page for a big screen is made for no finger.
        big_screen = phone.run("return document.body.classList.contains('tv')")
        self.tell(where, "targets under 48 px", [] if big_screen else phone.run(SMALL))
        self.tell(where, "too wide", phone.run(WIDE))
        self.tell(where, "console", [line for line in phone.complaints() if "favicon" not in line and path not in line])
        screens.keep(phone, where, "360x740", "light")
        phone.likes(color_scheme="dark", reduced_motion="reduce")
        self.tell(where, "dark", violations(phone, "color-contrast"))
        screens.keep(phone, where, "360x740", "dark")
        if not big_screen:
            phone.size(320, 640)
            phone.run("document.documentElement.dataset.text = 'largest'")
            self.tell(where, "too wide at 320 px in the largest text", phone.run(WIDE))
            screens.keep(phone, where, "320x640", "largest")
            phone.run("document.documentElement.dataset.text = 'normal'")
        screens.become(phone, "1280x800")
        screens.keep_all(phone, where, "1280x800")

    def tell(self, where: str, what: str, found: list[Any]) -> None:
        self.wrong.extend(f"{where}: {what}: {one}" for one in found[:2])


def play(stage: Stage, turns: int, chance: random.Random) -> None:
    for _ in range(turns):
        if stage.table.outcome is None:
            stage.table.apply(next_move(stage.table.game, stage.table.state, chance))


@pytest.fixture
def look(phone: Phone, served: Served, wrong: list[str], request: pytest.FixtureRequest) -> Iterator[Looked]:
    yield Looked(phone, served.url, wrong, getattr(request, "param", "table"))
    phone.likes()
    put_down(phone)


@pytest.mark.parametrize(("look", "key"), [(key, key) for key in KEYS], indirect=["look"])
def test_the_pages_of_a_game_from_its_form_to_its_end(look: Looked, served: Served, key: str) -> None:
    stage, chance = served.stage, random.Random(1)
    game = games()[key]
    look.at(f"/new/{key}", "1 form")
    stage.table.open_game(key, game.sample_setup(3))
    look.at("/", "2 opened")
    if game.expects(stage.table.state) is not None:
        dice = game.sample_roll(stage.table.state, lambda most: chance.randrange(most))
        stage.reader.dice, stage.reader.doubts = dice, {1, 3}
        stage.station.press()
        until(lambda: (stage.station.proposal or {}).get("state") == "ready")
        look.at("/", "3 proposal")
        stage.station.discard()
        stage.station.by_hand()
        look.at("/", "4 typed")
        stage.station.discard()
    play(stage, 8, chance)
    for path in ("/", "/log", "/tv"):
        look.at(path, f"5 middle {path}")
    play(stage, 5000, chance)
    for path in ("/", "/end", "/tv", f"/history/{stage.table.game_id}"):
        look.at(path, f"6 over {path.replace(str(stage.table.game_id), 'game')}")


def test_the_pages_of_a_table_where_nothing_was_played(look: Looked) -> None:
    for path in ("/", "/history", "/join", "/end", "/tv", "/nothing-here"):
        look.at(path, f"empty {path}")


def test_every_page_that_the_app_has(phone: Phone, stage: Stage, wrong: list[str], tmp_path: Path) -> None:
    table = Product(tmp_path / "home")
    try:
        table.act("/api/games", game="carnavalesco", setup=TWO)
        table.read_roll()
        known = {"key": ["carnavalesco"], "game_id": [table.state["game"]["id"]], "name": list(TITLES)}
        look = Looked(phone, table.url, wrong, "any")
        for path in addresses(stage.app, known, table.url):
            if path not in ("/", "/log", "/end", "/tv"):  # those were looked at in each game
                look.at(path, f"page {path.replace(table.state['game']['id'], 'game')}")
        put_down(phone)
    finally:
        table.stop()


def test_the_pages_of_somebody_outside(phone: Phone, closed_stage: Stage, wrong: list[str]) -> None:
    house = Served(closed_stage)
    look = Looked(phone, house.url, wrong, "outside")
    phone.browser.delete_all_cookies()
    closed_stage.open_game()
    look.at("/join", "1 door")
    look.at("/join?code=WRONG", "2 wrong code")
    look.at("/?watch=1", "3 watching")
    look.at(f"/join?code={CODE}", "4 seats")
    look.at("/", "5 who are you")
    put_down(phone)
    house.close()
