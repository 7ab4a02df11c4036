"""The pages speak the table's language: no English sentence is left where there is a translation."""

from __future__ import annotations

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

OTHERS = [language for language in LANGUAGES if language != "en"]
KEYS = ("carnavalesco", "carnival_of_sins", "roda_de_samba")
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
    stage, language = served_in.stage, served_in.stage.app.jinja_env.globals["language"]
    known = english(str(language))
    stage.table.open_game(key, games()[key].sample_setup(3))
    chance = random.Random(1)
    for turns, pages in (
        (0, ["/", f"/new/{key}", "/new", "/status", "/join", *FURTHER.get(key, [])]),
        (7, ["/", "/log", "/watch"]),
        (5000, ["/", "/end", "/watch", "/history", f"/history/{stage.table.game_id}"]),
    ):
        play(stage, turns, chance)
        for path in pages:
            phone.open(served_in.url + path)
            assert phone.run("return document.documentElement.lang") == language
            if path in ("/", "/watch"):
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
