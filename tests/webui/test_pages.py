"""Each page as the server makes it: readable without scripts, known without colour, safe against names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from engine.carnavalesco import ELEMENT_NAMES, ELEMENTS, RULES
from engine.dice import COLOURS, TINTS, Shape
from tests.webui.stage import Stage
from webui.drawing import OUTLINES, die
from webui.games import carnavalesco
from webui.palette import INK, ink_on, palette

PAGES = ("/", "/log", "/end", "/new", "/new/carnavalesco", "/strips", "/history", "/status", "/tv", "/join")


@pytest.mark.parametrize("path", PAGES)
def test_every_page_stands_with_and_without_a_game(stage: Stage, phone: FlaskClient, path: str) -> None:
    assert phone.get(path).status_code == 200
    stage.open_game()
    assert phone.get(path).status_code == 200
    stage.play_to_the_end()
    assert phone.get(path).status_code == 200


@pytest.mark.parametrize("path", [*PAGES, "/new/carnival_of_sins", "/new/roda_de_samba", "/deck", "/dice", "/records"])
def test_no_page_names_two_things_alike(stage: Stage, phone: FlaskClient, path: str) -> None:
    page = re.sub(r"<script.*?</script>", "", phone.get(path).text, flags=re.DOTALL)
    names = re.findall(r'\sid="([^"]+)"', page)
    assert names
    assert [name for name in set(names) if names.count(name) > 1] == []


def test_without_scripts_the_table_still_shows_the_game(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    stage.roll()
    stage.take()
    page = re.sub(r"<script.*?</script>", "", phone.get("/").text, flags=re.DOTALL)
    assert "Bia takes two dice" in page
    assert "Master-of-Room &amp; Flag-Bearer" in page
    assert 'aria-label="red d6 showing' in page
    assert "Ana took" in page


def test_the_end_is_not_told_before_the_judges_speak(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    stage.play_to_the_end()
    page = re.sub(r"<script.*?</script>", "", phone.get("/").text, flags=re.DOTALL)
    assert "The judges are ready" in page
    assert "wins" not in page


def test_the_state_in_the_page_is_the_state_of_the_api(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    found = re.search(r'<script type="application/json" id="state">(.*?)</script>', phone.get("/").text, re.DOTALL)
    assert found is not None
    assert json.loads(found[1]) == phone.get("/api/state").json


def test_a_name_cannot_break_the_page(stage: Stage, phone: FlaskClient) -> None:
    name = "</script><b>&Ana"
    stage.open_game({"players": [{"name": name}, {"name": "Bia"}]})
    for path in PAGES:
        assert "</script><b>" not in phone.get(path).text
    assert phone.get("/api/state").json["game"]["seats"][0] == name


def test_a_finished_game_is_in_the_history_with_its_marks_and_house_rules(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game(
        {
            "players": [{"name": "Ana", "table": "practice"}, {"name": "Bia", "table": "practice"}],
            "house_rules": {"song.mode": "uniform"},
        }
    )
    stage.play_to_the_end()
    game = stage.table.game_id
    assert all(f'<span class="name">{name}</span>' in phone.get("/history").text for name in ("Ana", "Bia"))
    page = phone.get(f"/history/{game}").text
    assert "All in one way" in page
    assert "made up" in page
    assert phone.get("/history/nothing").status_code == 404


def test_the_status_page_has_the_way_in(stage: Stage, phone: FlaskClient) -> None:
    page = phone.get("/status").text
    assert "SAMBA7" in page
    assert "http://192.168.1.20:8080" in page
    assert "<svg" in page
    assert "Camera" in page


def test_healthz_is_what_the_table_says(phone: FlaskClient) -> None:
    assert phone.get("/healthz").json["camera"]["ok"] is True


def test_elements_and_sources_are_those_of_the_rules() -> None:
    assert tuple(carnavalesco.ELEMENTS) == ELEMENTS
    assert {key: known["name"] for key, known in carnavalesco.ELEMENTS.items()} == dict(ELEMENT_NAMES)
    (source,) = (rule for rule in RULES if rule.key == "division.table")
    assert set(carnavalesco.STRIP_SOURCES) == set(source.values)


def test_colours_are_told_apart_by_letter_and_pattern() -> None:
    for colours in (COLOURS[:6], COLOURS[5:], ("ivory", "indigo", "black", "blue", "brown", "b2")):
        looks = palette(colours)
        assert len({looks[colour].letter for colour in colours}) == 6
        assert len({looks[colour].pattern for colour in colours}) == 6


@pytest.mark.parametrize(("language", "letters"), [("en", "R Y G U W K"), ("es", "R M V Z B N"), ("pt", "M R D Z B P")])
def test_no_letter_of_a_colour_could_be_that_of_another(language: str, letters: str) -> None:
    colours = ("red", "yellow", "green", "blue", "white", "black")
    looks = palette(colours, language=language)
    assert [looks[colour].letter for colour in colours] == letters.split()
    for colour in colours:
        others = {looks[other].word[0].upper() for other in colours if other != colour}
        assert looks[colour].letter not in others
    every = [look.letter for look in looks.values()]
    assert len(set(every)) == len(every)
    assert all(letter.isascii() for letter in every), "an accent is too small to tell two dice apart"


def _contrast(one: str, two: str) -> float:
    from webui.palette import _luminance

    light, dark = sorted((_luminance(one), _luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_what_stands_on_a_die_can_be_read() -> None:
    for fill in TINTS.values():
        assert _contrast(fill, ink_on(fill)) >= 4.4, fill
    for tint in ("#EFE6CF", "#101010", "#808080", "#FF00FF"):
        assert _contrast(tint, ink_on(tint)) >= 4.2
    assert ink_on("#FFFFFF") == INK


def test_a_colour_in_other_words_looks_like_the_known_one() -> None:
    looks = palette(["vermelho", "azul_escuro", "glitter"])
    assert looks["vermelho"].fill == TINTS["red"]
    assert looks["azul_escuro"].fill == TINTS["blue"]
    assert looks["glitter"].fill not in TINTS.values()


def test_every_shape_is_drawn_with_its_words() -> None:
    assert set(OUTLINES) == set(Shape)
    drawn = die("d20", "red", 17, palette(("red",)))
    assert 'aria-label="red d20 showing 17"' in drawn
    assert "#die-d20" in drawn


def test_the_rules_speak_the_language_of_the_settings(tmp_path: Path) -> None:
    stage = Stage(tmp_path, language="pt")
    stage.open_game()
    state = stage.app.test_client().get("/api/state").json
    assert state["game"]["prompt"]["why"].startswith("Rodada 1 de")
    stage.close()


def test_a_conflict_and_an_error_speak_the_language_of_the_table(tmp_path: Path) -> None:
    stage = Stage(tmp_path, language="pt")
    stage.open_game()
    phone = stage.app.test_client()
    old = stage.sent(move={"move": "take", "seat": 0, "places": []})
    stage.roll()
    stale = phone.post("/api/moves", json=old).json["error"]
    assert (stale["code"], stale["field"], "A mesa" in stale["message"]) == ("stale_version", "version", True)
    early = phone.post("/api/moves", json=stage.sent(move={"move": "next_parade"})).json["error"]
    assert (early["code"], "Esta" in early["message"]) == ("no_career", True)
    gone = phone.post("/api/proposal/discard", json={"proposal": "another"})
    lost = phone.post("/api/proposal/confirm", json=stage.sent(proposal="another")).json["error"]
    assert gone.status_code == 200
    assert (lost["field"], "lançamento" in lost["message"]) == ("", True)
    stage.close()
