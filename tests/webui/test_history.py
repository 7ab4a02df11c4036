"""Games played, over the real server: the list, a game's page, notes, the bin, rematch, files, records."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient

from engine.game import games
from engine.replay import replay_document
from engine.selfplay import next_move
from tests.waiting import until
from tests.webui.axe import violations
from tests.webui.hands import put_down
from tests.webui.phone import Phone
from tests.webui.stage import CODE, Served, Stage, some_dice

KEYS = ("carnavalesco", "carnival_of_sins", "roda_de_samba")
LONG = [
    "Acadêmicos do Salgueiro da Tijuca",
    "Unidos da Vila Isabel do Norte",
    "Império do Leão Dourado e Azul",
    "Mangueira Estação Primeira do Rio",
    "Portela Azul e Branco de Madureira",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Phone]:
    one = Phone()
    yield one
    one.close()


@pytest.fixture
def shown(served: Served, browser: Phone) -> Iterator[Phone]:
    yield browser
    put_down(browser)


def play(stage: Stage, key: str, names: list[str], *, turns: int = 5000, seed: int = 4) -> str:
    """Play a game of these people by chance, to its end or for so many turns; return its id."""
    game, chance = games()[key], random.Random(seed)
    setup = dict(game.sample_setup(len(names)))
    setup["players"] = [{**one, "name": name} for one, name in zip(setup["players"], names, strict=True)]
    stage.table.open_game(key, setup, abandon=True)
    for _ in range(turns):
        if stage.table.outcome is not None:
            break
        stage.table.apply(next_move(stage.table.game, stage.table.state, chance))
    return str(stage.table.game_id)


def play_all(stage: Stage) -> list[str]:
    """Play a game of each kind to its end and begin another; return the ids of those three."""
    played = [play(stage, key, ["Ana", "Bia", "Caio"]) for key in KEYS]
    play(stage, "carnavalesco", ["Ana", "Bia"], turns=3)
    return played


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)))


@pytest.mark.parametrize("language", ["en", "pt", "es"])
def test_results_are_told_in_the_readers_language(tmp_path: Path, language: str) -> None:
    from engine.words import told

    stage = Stage(tmp_path, language=language)
    sentences = []
    for key in KEYS:
        play(stage, key, ["Ana", "Bia"])
        assert stage.table.outcome is not None
        sentences.append(told(stage.table.outcome.text, language))
    play(stage, "carnavalesco", ["Ana", "Bia"], turns=1)
    text = text_of(stage.app.test_client().get("/history").text)
    for sentence in sentences:
        assert sentence.replace("'", "&#39;") in text
    stage.close()


def test_the_list_turns_its_pages_and_narrows_to_a_person_or_a_game(stage: Stage, phone: FlaskClient) -> None:
    for at in range(12):
        play(stage, KEYS[at % 2], ["Ana", "Bia"] if at else ["Caio", "Duda"], turns=1)
    first = phone.get("/history").text
    assert first.count("<article") == 10
    assert 'href="/history?page=2' in first
    second = phone.get("/history?page=2").text
    assert second.count("<article") == 2
    assert "Caio" in second
    assert phone.get("/history?page=99").text.count("<article") == 2
    assert phone.get("/history?page=nonsense").text.count("<article") == 10
    assert phone.get("/history?player=Duda").text.count("<article") == 1
    assert phone.get("/history?game=carnival_of_sins").text.count("<article") == 6
    nobody = phone.get("/history?player=<b>").text
    assert "No game of &lt;b&gt; is kept here." in nobody
    assert '<a href="/history">All games' in nobody
    assert "None yet" not in nobody


@pytest.mark.parametrize("key", KEYS)
def test_a_games_page_plots_its_points_and_has_them_as_a_table(stage: Stage, phone: FlaskClient, key: str) -> None:
    game_id = play(stage, key, LONG[:3])
    totals = stage.table.games()[0]["result"]["detail"]["totals"]
    play(stage, key, ["Ana", "Bia"], turns=1)
    page = phone.get(f"/history/{game_id}").text
    assert '<svg class="plot"' in page
    assert re.search(r'role="img" aria-labelledby="(plot-\d+-title) (plot-\d+-desc)">\s*<title id="\1">', page)
    table = re.search(r"The points as a table.*?<tbody>(.*?)</tbody>", page, re.DOTALL)
    assert table is not None
    last = re.findall(r'<td class="number">([^<]*)</td>', table[1])[-3:]
    assert [float(cell.replace("−", "-")) for cell in last] == totals
    for seat in range(3):
        assert page.count(f'class="line seat-{seat}"') == 2, "in the plot, and beside the name"
    dashes = re.findall(r'class="line seat-\d" stroke-dasharray="([^"]+)" d="M\d+\.', page)
    assert len(set(dashes)) == 3, "lines are told apart without colour"


def test_an_empty_table_has_pages_that_say_so(phone: FlaskClient) -> None:
    assert "None yet." in phone.get("/history").text
    assert "No game was played to its end yet." in phone.get("/records").text
    assert "No roll was confirmed yet" in phone.get("/fairness").text
    assert "The bin is empty." in phone.get("/history/bin").text
    assert len(list(csv.reader(io.StringIO(phone.get("/history.csv").text)))) == 1


def test_files_can_be_read_back(stage: Stage, phone: FlaskClient) -> None:
    for game_id, key in zip(play_all(stage), KEYS, strict=True):
        table_rows = list(csv.reader(io.StringIO(phone.get(f"/history/{game_id}.csv").get_data().decode("utf-8-sig"))))
        assert table_rows[0] == ["turn", "at", "move", "text", "points Ana", "points Bia", "points Caio"]
        document = phone.get(f"/history/{game_id}.json")
        assert f"jurado-{key}-" in document.headers["Content-Disposition"]
        told = document.json
        again = replay_document(told["play"])
        assert again["outcome"]["ranking"] == told["result"]["ranking"]
        totals = told["result"]["detail"]["totals"]
        assert [float(cell) for cell in table_rows[-1][4:]] == totals == told["scores"][-1]["totals"]
        assert len(table_rows) - 1 == len(told["play"]["moves"]) == len(told["scores"]) - 1
    whole = list(csv.DictReader(io.StringIO(phone.get("/history.csv").get_data().decode("utf-8-sig"))))
    assert len(whole) == 3 * 3 + 2
    assert {row["place"] for row in whole if row["status"] == "finished"} <= {"1", "2", "3"}
    assert [row["points"] for row in whole if row["status"] == "open"] == ["", ""]


def test_no_cell_is_taken_for_a_formula(stage: Stage, phone: FlaskClient) -> None:
    game_id = play(stage, "carnavalesco", ["=1+1", "Bia"])
    play(stage, "carnavalesco", ["Ana", "Bia"], turns=1)
    whole = phone.get("/history.csv").text
    assert ",'=1+1," in whole
    rows = list(csv.reader(io.StringIO(phone.get(f"/history/{game_id}.csv").text)))
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "@", "+"))]


@pytest.mark.parametrize("key", KEYS)
def test_the_play_for_bg_stats_has_the_documented_fields(stage: Stage, phone: FlaskClient, key: str) -> None:
    game_id = play(stage, key, ["Ana", "Bía & Co"])
    stage.table.write_notes(game_id, "So close!")
    stage.table.arrange("name", {"name": "Casa da Ana"})
    result = stage.table.games()[0]["result"]
    play(stage, key, ["Ana", "Bia"], turns=1)
    found = re.search(r'id="bg-stats" href="([^"]+)"', phone.get(f"/history/{game_id}").text)
    assert found is not None
    link = urlsplit(found[1].replace("&amp;", "&"))
    assert (link.scheme, link.netloc, link.path) == ("https", "app.bgstatsapp.com", "/createPlay.html")
    told = json.loads(parse_qs(link.query)["data"][0])
    fields = {"sourceName", "sourcePlayId", "playDate", "durationMin", "comments", "location", "game", "players"}
    assert set(told) == fields
    assert told["location"] == "Casa da Ana"
    assert (told["sourceName"], told["sourcePlayId"], told["comments"]) == ("Jurado", game_id, "So close!")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", told["playDate"])
    assert told["game"] == {
        "name": games()[key].name,
        "sourceGameId": key,
        "highestWins": True,
        "noPoints": False,
    }
    assert [player["name"] for player in told["players"]] == ["Ana", "Bía & Co"]
    for seat, player in enumerate(told["players"]):
        assert set(player) == {"name", "sourcePlayerId", "startPlayer", "winner", "rank", "score"}
        assert player["winner"] is (seat in result["ranking"][0])
        assert player["score"] == result["detail"]["totals"][seat]
    assert sum(player["startPlayer"] for player in told["players"]) == 1


def test_what_is_still_played_or_to_be_heard_is_told_in_no_file(stage: Stage, phone: FlaskClient) -> None:
    game_id = play(stage, "carnival_of_sins", ["Ana", "Bia"], turns=6)
    for ending in ("csv", "json"):
        refused = phone.get(f"/history/{game_id}.{ending}")
        assert refused.status_code == 409
        assert "still played" in refused.text
    heard = play(stage, "carnavalesco", ["Ana", "Bia"])
    rows = [row for row in csv.DictReader(io.StringIO(phone.get("/history.csv").text)) if heard in row.values()]
    assert [row["points"] for row in rows] == ["", ""]
    assert "Carnavalesco" not in text_of(phone.get("/records").text)


def test_notes_are_for_who_has_joined_and_overwrite_nobodys(closed_stage: Stage) -> None:
    stage = closed_stage
    game_id = play(stage, "carnavalesco", ["Ana", "Bia"], turns=2)
    guest, ana, bia = (stage.app.test_client() for _ in range(3))
    path = f"/api/games/{game_id}/notes"
    assert guest.post(path, json=stage.sent(text="x", edits=0)).status_code == 403
    for one, seat in ((ana, 0), (bia, 1)):
        assert one.post("/api/join", json={"code": CODE, "seat": seat}).status_code == 200
    first = stage.sent(text="Bia forgot the drums.", edits=0)
    assert ana.post(path, json=first).status_code == 200
    assert ana.post(path, json=first).status_code == 200, "the same act again is the same act"
    late = bia.post(path, json=stage.sent(text="Mine", edits=0))
    assert (late.status_code, late.json["error"]["code"]) == (409, "stale_notes")
    assert bia.post(path, json=stage.sent(text="Not true!", edits=1)).status_code == 200
    page = bia.get(f"/history/{game_id}").text
    assert "Not true!" in page
    assert 'data-put-back="Bia forgot the drums."' in page
    assert bia.post(path, json=stage.sent(text="x" * 4001, edits=2)).status_code == 400
    assert "Not true!" in bia.get("/history").text


def test_only_the_host_deletes_and_a_deleted_game_comes_back(closed_stage: Stage) -> None:
    stage = closed_stage
    game_id = play(stage, "carnavalesco", ["Ana", "Bia"])
    play(stage, "carnavalesco", ["Ana", "Bia"], turns=2)
    ana, host = stage.app.test_client(), stage.app.test_client()
    for one in (ana, host):
        one.post("/api/join", json={"code": CODE, "seat": 0})
    host.post("/host", data={"pin": stage.keys.pin})
    path = f"/api/games/{game_id}"
    assert ana.post(f"{path}/delete", json=stage.sent()).status_code == 403
    assert "Only the host deletes" in ana.get(f"/history/{game_id}").text
    assert host.post(f"{path}/delete", json=stage.sent()).status_code == 200
    gone = ana.get(f"/history/{game_id}")
    assert gone.status_code == 404
    assert "lies in the bin" in gone.text
    assert host.get(f"/history/{game_id}.json").status_code == 404
    assert "Ana" not in text_of(ana.get("/records").text)
    assert f'data-restore="{game_id}"' in host.get("/history/bin").text
    assert "data-restore" not in ana.get("/history/bin").text
    assert host.post(f"{path}/delete", json=stage.sent()).status_code == 400
    assert ana.post(f"{path}/restore", json=stage.sent()).status_code == 403
    assert host.post(f"{path}/restore", json=stage.sent()).status_code == 200
    assert ana.get(f"/history/{game_id}").status_code == 200
    unfinished = host.post(f"/api/games/{stage.table.game_id}/delete", json=stage.sent())
    assert unfinished.status_code == 422
    assert "not finished" in unfinished.json["error"]["message"]


def test_an_emptied_bin_takes_the_photographs_along(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    stage.reader.dice = some_dice(12)
    stage.station.press()
    until(lambda: stage.station.state == "proposal" and not stage.station.failed)
    roll = stage.station.confirm(by="panel")
    until(lambda: stage.station.photo_of(roll.seq))
    game_id = str(stage.table.game_id)
    page = phone.get(f"/history/{game_id}").text
    assert str(stage.station.photo_of(roll.seq)) in page
    assert "have made room" not in page
    assert [one.source for one in stage.table.rolls()] == ["camera"]
    phone.post(f"/api/games/{game_id}/delete", json=stage.sent(abandon=True))
    assert stage.station.photo_of(roll.seq), "what is in the bin is whole"
    assert phone.post("/api/bin/empty", json=stage.sent()).status_code == 200
    assert stage.station.photo_of(roll.seq) is None
    assert list(stage.photos.folder.iterdir()) == []
    assert phone.post(f"/api/games/{game_id}/restore", json=stage.sent()).status_code == 400
    assert phone.post("/api/bin/empty", json=stage.sent()).status_code == 422


def test_a_game_whose_photographs_are_gone_says_so(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    stage.reader.dice = some_dice(12)
    stage.station.press()
    until(lambda: stage.station.state == "proposal" and not stage.station.failed)
    roll = stage.station.confirm()
    until(lambda: stage.station.photo_of(roll.seq))
    stage.station.forget_photos([roll.seq])
    assert "1 photograph of this game has made room" in phone.get(f"/history/{stage.table.game_id}").text


def test_records_count_people_games_and_streaks(stage: Stage, phone: FlaskClient) -> None:
    for seed in range(3):
        play(stage, "carnival_of_sins", ["Ana", "Bia"], seed=seed)
    play(stage, "carnavalesco", ["Ana"])
    play(stage, "roda_de_samba", ["Ana", "Bia"], turns=3)
    page = phone.get("/records").text
    assert "Carnavalesco, alone" in page
    assert "Roda de Samba" not in text_of(page.split("<main")[1]), "what is not over is no record"
    wins = [
        game["result"]["ranking"][0] for game in stage.table.games() if len(game["players"]) == 2 and game["result"]
    ]
    ana = re.search(r">Ana</a>.*?<td class=\"number\">(\d+)</td>\s*<td class=\"number\">(\d+)", page, re.DOTALL)
    assert ana is not None
    assert (int(ana[1]), int(ana[2])) == (3, sum(0 in first for first in wins))


def test_a_person_writes_notes_and_takes_them_back_by_tapping(served: Served, shown: Phone) -> None:
    stage = served.stage
    game_id = play(stage, "carnavalesco", ["Ana", "Bia"])
    play(stage, "carnavalesco", ["Ana", "Bia"], turns=2)
    shown.open(f"{served.url}/history/{game_id}")
    assert shown.run("return document.querySelector('#keep-notes').disabled")
    type_in = "const e = document.querySelector('#note'); e.value = arguments[0]; e.dispatchEvent(new Event('input'));"
    shown.run(type_in, "First words")
    shown.open(f"{served.url}/history/{game_id}")
    until(lambda: shown.run("return document.querySelector('#note').value") == "First words")
    shown.tap("#keep-notes")
    until(lambda: [note["text"] for note in noted(stage, game_id)] == ["First words"])
    until(lambda: shown.run("return document.querySelector('#notes').dataset.edits") == "1")
    shown.run(type_in, "Second words")
    shown.tap("#keep-notes")
    until(lambda: len(noted(stage, game_id)) == 2)
    until(lambda: shown.all("[data-put-back]"))
    shown.run("document.querySelector('#notes details').open = true")
    shown.tap("[data-put-back]")
    until(lambda: [note["text"] for note in noted(stage, game_id)] == ["First words", "Second words", "First words"])
    assert shown.complaints() == []


def noted(stage: Stage, game_id: str) -> list[dict[str, Any]]:
    return next(game["notes"] for game in stage.table.games() if game["id"] == game_id)


def test_a_game_goes_into_the_bin_and_comes_back_by_tapping(served: Served, shown: Phone) -> None:
    stage = served.stage
    game_id = play(stage, "carnavalesco", ["Ana", "Bia"])
    other = play(stage, "carnival_of_sins", ["Caio", "Duda"], turns=3)
    shown.open(f"{served.url}/history/{game_id}")
    shown.tap("#delete")
    shown.waits_for("Really put it into the bin?", "#acts")
    assert len(stage.table.games()) == 2, "one tap deletes nothing"
    shown.tap("[data-yes]")
    shown.waits_for("Deleted games")
    assert [game["id"] for game in stage.table.games(deleted=True)] == [game_id]
    shown.tap("[data-restore]")
    shown.waits_for("Games played at this table")
    assert stage.table.games(deleted=True) == []
    shown.open(f"{served.url}/history/{other}")
    shown.tap("#delete")
    shown.waits_for("It is being played.", "#acts")
    shown.tap("[data-yes]")
    shown.waits_for("Deleted games")
    assert stage.table.game_id is None
    shown.tap("#empty-bin")
    shown.waits_for("Really let 1 game go for good?")
    shown.tap("[data-yes]")
    shown.waits_for("Games played at this table")
    assert [game["id"] for game in stage.table.games()] == [game_id]
    assert shown.complaints() == []


def test_the_same_people_play_again_by_tapping(served: Served, shown: Phone) -> None:
    stage = served.stage
    game_id = play(stage, "carnavalesco", ["Ana", "Bia"])
    samba = play(stage, "roda_de_samba", ["Caio", "Duda"])
    play(stage, "carnival_of_sins", ["Caio", "Duda"], turns=3)
    shown.open(f"{served.url}/history/{samba}")
    until(lambda: str(shown.run("return document.querySelector('#rematch')?.href")).endswith("/new/roda_de_samba"))
    shown.open(f"{served.url}/history/{game_id}")
    shown.tap("#rematch")
    shown.waits_for("The open game is put away.", "#acts")
    shown.tap("[data-yes]")
    until(lambda: stage.table.games()[0]["players"] == ["Ana", "Bia"])
    assert [game["status"] for game in stage.table.games()][:2] == ["open", "abandoned"]
    shown.waits_for("Ana")
    assert shown.complaints() == []


@pytest.mark.parametrize("width", [390, 320])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_runs_over_the_edge_with_five_long_names(
    served: Served, shown: Phone, width: int, scheme: str, tmp_path: Path
) -> None:
    stage = served.stage
    game_id = play(stage, "carnival_of_sins", LONG)
    play(stage, "roda_de_samba", LONG, turns=40)
    size = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    shown.tool("Emulation.setDeviceMetricsOverride", **size)
    shown.tool("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    try:
        for path in ("/history", f"/history/{game_id}", "/records", "/fairness", "/history/bin"):
            shown.open(served.url + path)
            shown.run("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
            assert shown.run("return document.documentElement.scrollWidth") <= width, path
            cut = shown.run(
                "return [...document.querySelectorAll('main *')].filter((one) => !one.closest('svg, .scroll')"
                " && one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 80))"
            )
            assert cut == [], path
    finally:
        shown.tool("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
        shown.tool("Emulation.setEmulatedMedia", features=[])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_full_pages_are_for_everybody(served: Served, shown: Phone, scheme: str) -> None:
    stage = served.stage
    for at in range(12):
        played = play(stage, KEYS[at % 3], LONG[: 2 + at % 3], seed=at)
        stage.table.write_notes(played, f"Evening {at}")
    stage.table.write_notes(played, "Nobody slept.")
    stage.open_game()
    stage.reader.dice = some_dice(12)
    stage.station.press()
    until(lambda: stage.station.state == "proposal" and not stage.station.failed)
    rolled = stage.station.confirm()
    until(lambda: stage.station.photo_of(rolled.seq))
    stage.table.delete_game(stage.table.games()[-1]["id"])
    shown.tool("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    try:
        paths = ("/history", f"/history/{played}", f"/history/{stage.table.game_id}", "/history/bin", "/records")
        for path in (*paths, "/fairness"):
            shown.open(served.url + path)
            shown.run("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
            assert violations(shown) == [], path
    finally:
        shown.tool("Emulation.setEmulatedMedia", features=[])
