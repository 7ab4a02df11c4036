"""The pages speak the table's language: no English sentence is left where there is a translation."""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.game import games
from engine.selfplay import next_move
from engine.words import LANGUAGES, told
from tests.catalogues import PAGES, catalogues, read_po
from tests.waiting import until
from tests.webui.hands import put_down
from tests.webui.phone import Phone
from tests.webui.stage import Served, Stage
from webui.games import part_of
from webui.words import number, when

OTHERS = [language for language in LANGUAGES if language != "en"]
KEYS = ("carnavalesco", "carnival_of_sins", "roda_de_samba")
KEPT = ("/records", "/fairness", "/history/bin")
"""What is made of the games played."""
FURTHER = {"carnavalesco": ["/strips"], "roda_de_samba": ["/deck"]}


@pytest.fixture(scope="module")
def phone() -> Iterator[Phone]:
    one = Phone()
    yield one
    one.close()


@pytest.fixture
def served_in(tmp_path: Path, phone: Phone, request: pytest.FixtureRequest) -> Iterator[Served]:
    stage = Stage(tmp_path, language=request.param)
    house = Served(stage)
    yield house
    put_down(phone)
    house.close()
    stage.close()


def english(language: str) -> set[str]:
    """Return the messages of the pages that read otherwise in `language`, those that stand alone on a page."""
    (pages,) = (one for one in catalogues() if one.folder == PAGES)
    words = read_po(pages.path(language, ".po"))
    return {one for (one, many), texts in words.items() if many is None and "{" not in one and texts[0] != one}


def lines(phone: Phone) -> set[str]:
    text = phone.run(
        "document.querySelectorAll('details').forEach((one) => { one.open = true; });"
        "const labels = [...document.querySelectorAll('[aria-label]')].map((one) => one.getAttribute('aria-label'));"
        "return document.body.innerText + '\\n' + document.title + '\\n' + labels.join('\\n');"
    )
    return {line.strip() for line in str(text).split("\n")}


def play(stage: Stage, turns: int, chance: random.Random) -> None:
    for _ in range(turns):
        if stage.table.outcome is None:
            stage.table.apply(next_move(stage.table.game, stage.table.state, chance))


@pytest.mark.parametrize(("key", "served_in"), list(zip(KEYS, ("pt", "es", "pt"), strict=True)), indirect=["served_in"])
def test_no_english_is_left_on_any_page(phone: Phone, served_in: Served, key: str) -> None:
    stage, language = served_in.stage, served_in.stage.app.extensions["jurado"].snapshot.language
    known = english(str(language))
    stage.table.open_game(key, games()[key].sample_setup(3))
    chance = random.Random(1)
    for turns, pages in (
        (0, ["/", f"/new/{key}", "/new", "/status", "/join", *FURTHER.get(key, [])]),
        (7, ["/", "/log", "/tv"]),
        (5000, ["/", "/end", "/tv", "/history", f"/history/{stage.table.game_id}", *KEPT]),
    ):
        play(stage, turns, chance)
        for path in pages:
            phone.open(served_in.url + path)
            assert str(phone.run("return document.documentElement.lang")).startswith(str(language))
            if path in ("/", "/tv"):
                until(lambda: phone.run("return document.documentElement.dataset.live") == "stream")
            left = lines(phone) & known
            assert not left, f"{path}: {sorted(left)}"
            assert not [line for line in phone.complaints() if "favicon" not in line], path


@pytest.mark.parametrize("served_in", ["pt"], indirect=True)
def test_the_colours_of_the_dice_are_read_and_typed_in_the_tables_language(phone: Phone, served_in: Served) -> None:
    phone.open(f"{served_in.url}/new/carnavalesco")
    for at, name in enumerate(("Ana", "Bia")):
        until(lambda: len(phone.all("[data-name]")) == 2)
        phone.all("[data-name]")[at].send_keys(name)
    shown = "return [...document.querySelectorAll('[data-colour-name]')].map((one) => one.value)"
    assert phone.run(shown) == ["vermelho", "amarelo", "verde", "azul", "branco", "preto"]
    phone.run(
        "const e = document.querySelector(\"[data-colour-name='0']\"); e.value = 'Roxo';"
        "e.dispatchEvent(new Event('change', {bubbles: true}));"
    )
    phone.tap("#start")
    phone.waits_for("Ana", "#prompt")
    colours = served_in.stage.table.now().state.setup.colours
    assert tuple(colours) == ("purple", "yellow", "green", "blue", "white", "black")


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_part_gives_its_script_is_told(tmp_path: Path, language: str) -> None:
    stage = Stage(tmp_path, language=language)
    page = stage.app.test_client().get("/new/roda_de_samba").text
    stage.close()

    def lies(name: str) -> Any:
        found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.DOTALL)
        assert found is not None
        return json.loads(found[1])

    words = part_of("roda_de_samba").words
    assert lies("words")["roda_de_samba"] == told(words, language)
    assert lies("words")["roda_de_samba"] != words
    assert lies("catalogue")["Undo"] != "Undo"
    for part in ("carnavalesco", "roda_de_samba"):
        for title in part_of(part).pages.values():
            assert told(title, language) != title
            assert told(title, language) in page


def test_a_phone_chooses_its_own_language_and_size_of_text_and_keeps_them(phone: Phone, served: Served) -> None:
    served.stage.open_game()
    phone.browser.delete_all_cookies()
    phone.open(f"{served.url}/history")
    phone.tap("#preferences summary")
    phone.tap("#preferences [value='es']")
    phone.waits_for("Partidas")
    assert phone.run("return location.pathname") == "/history", "one stays on the page"
    phone.tap("#preferences summary")
    phone.tap("#preferences [value='largest']")
    until(lambda: phone.run("return getComputedStyle(document.documentElement).fontSize") == "24px")
    phone.open(f"{served.url}/")
    phone.waits_for("Ana saca 12 dados", "#prompt")
    until(lambda: phone.run("return document.documentElement.dataset.live") == "stream")
    served.stage.roll()
    phone.waits_for("Ana toma dos dados", "#prompt")
    assert phone.run("return getComputedStyle(document.documentElement).fontSize") == "24px"
    other = served.stage.app.test_client()
    assert other.get("/api/state").json["language"] == "en", "other phones go by the table's"
    # The whole table speaks another language: this phone keeps its own.
    served.stage.table.arrange("language", {"language": "pt"})
    served.stage.take()
    phone.waits_for("Bia toma dos dados", "#prompt")
    assert other.get("/api/state").json["language"] == "pt"
    phone.browser.delete_all_cookies()
    put_down(phone)


def test_a_page_left_open_follows_the_language_of_the_table(phone: Phone, served: Served) -> None:
    served.stage.open_game()
    phone.open(served.url)
    until(lambda: phone.run("return document.documentElement.dataset.live") == "stream")
    served.stage.table.arrange("language", {"language": "pt"})
    phone.waits_for("Rodada 1 de", "#prompt")
    assert phone.run("return document.documentElement.lang") == "pt-BR"
    put_down(phone)


@pytest.mark.parametrize(
    ("language", "points", "day"), [("en", "−1,234.5", "Nov 30"), ("pt", "−1.234,5", "30 de nov.")]
)
def test_numbers_and_dates_are_written_as_the_language_does(stage: Stage, language: str, points: str, day: str) -> None:
    with stage.app.test_request_context(headers={"Cookie": f"jurado_language={language}"}):
        assert number(-1234.5) == points
        assert when("2026-11-30T12:00:00+00:00").startswith(day)


def test_a_choice_counts_also_on_a_page_that_was_asked_for_in_another_language(stage: Stage) -> None:
    client = stage.app.test_client()
    page = client.get("/history?player=Z%C3%A9&lang=en&game=carnavalesco").text
    back = re.search(r'name="back" value="([^"]*)"', page)
    assert back is not None
    answer = client.post("/preferences", data={"language": "es", "back": html.unescape(back[1])})
    assert answer.headers["Location"] == "/history?player=Z%C3%A9&game=carnavalesco"
    assert '<html lang="es"' in client.get(answer.headers["Location"]).text


def test_a_choice_that_is_none_is_refused_and_the_way_back_stays_on_this_table(stage: Stage) -> None:
    client = stage.app.test_client()
    assert client.post("/preferences", data={"language": "xx"}).status_code == 400
    for back in ("//elsewhere.example", "https://elsewhere.example", "/\\elsewhere.example", ""):
        answer = client.post("/preferences", data={"text": "large", "back": back})
        assert (answer.status_code, answer.headers["Location"]) == (303, "/")
