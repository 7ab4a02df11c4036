"""A game's log, its corrections and its page among the games played, for every game alike."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.dice import Die, Shape
from engine.game import Game, games
from engine.selfplay import next_move
from tests.webui.stage import Stage

KEYS = ("carnavalesco", "carnival_of_sins", "roda_de_samba")


def play(stage: Stage, *, until_turn: int = 5000) -> None:
    """Play the open game by chance, to its end or for so many turns."""
    chance = random.Random(4)
    for _ in range(until_turn):
        if stage.table.outcome is not None:
            return
        move = next_move(stage.table.game, stage.table.state, chance)
        assert move is not None
        stage.table.apply(move)


def other_house_rules(game: Game[Any]) -> dict[str, Any]:
    """Return another value than the usual for each switch that changes no way of entering."""
    quiet = [rule for rule in game.house_rules if rule.key not in ("entry.detail", "division.table")]
    return {rule.key: list(rule.values)[1] for rule in quiet}


def words(page: str) -> str:
    """Return what stands in a page, without what is for scripts."""
    return re.sub(r"<[^>]+>", " ", re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL))


@pytest.mark.parametrize("language", ["en", "pt"])
@pytest.mark.parametrize("key", KEYS)
def test_a_past_page_tells_marks_and_every_house_rule(tmp_path: Any, key: str, language: str) -> None:
    from engine.words import told

    stage = Stage(tmp_path, language=language)
    client = stage.app.test_client()
    game = games()[key]
    rules = other_house_rules(game)
    assert rules
    stage.table.open_game(key, {**game.sample_setup(2), "house_rules": rules})
    play(stage)
    assert stage.table.outcome is not None
    text = re.sub(r"\s+", " ", words(client.get(f"/history/{stage.table.game_id}").text))
    for rule in game.house_rules:
        line = f"{told(rule.title, language)}: {told(rule.values[rules.get(rule.key, rule.default)], language)}"
        assert (line.replace("'", "&#39;") in text) == (rule.key in rules), line
    for player in game.scoreboard(stage.table.state)["players"]:
        assert player["name"] in text
        assert str(player["total"]).replace("-", "−") in text
    assert told(stage.table.outcome.text, language).split(",")[0].replace("'", "&#39;") in text
    stage.close()


@pytest.mark.parametrize("key", KEYS)
def test_a_past_page_has_its_house_rules_at_its_head(stage: Stage, phone: FlaskClient, key: str) -> None:
    game = games()[key]
    stage.table.open_game(key, game.sample_setup(2))
    usual = phone.get(f"/history/{stage.table.game_id}").text
    stage.table.open_game(key, {**game.sample_setup(2), "house_rules": other_house_rules(game)}, abandon=True)
    other = phone.get(f"/history/{stage.table.game_id}").text
    assert "House rules: all as usual." in usual
    assert "House rules: all as usual." not in other
    for page in (usual, other):
        assert "data-rules" in page.split("<h1")[1].split("<details")[0]
    assert stage.table.now().setup["house_rules"].keys() == {rule.key for rule in game.house_rules}


def test_a_game_need_not_put_its_house_rules_in_its_view(
    stage: Stage, phone: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games()["carnavalesco"]
    whole = type(game).view

    def view(self: Game[Any], state: Any) -> dict[str, Any]:
        return {key: value for key, value in whole(self, state).items() if key != "house_rules"}

    monkeypatch.setattr(type(game), "view", view)
    stage.table.open_game("carnavalesco", {**game.sample_setup(2), "house_rules": {"song.mode": "uniform"}})
    rules = phone.get("/api/state").json["game"]["rules"]
    assert [rule["words"] for rule in rules] == ["All in one way"]
    assert "All in one way" in phone.get(f"/history/{stage.table.game_id}").text
    stage.table.open_game("carnavalesco", {**game.sample_setup(2), "extra_board": True}, abandon=True)
    assert stage.table.now().setup["house_rules"]["seats.max"] == 5
    assert len(phone.get("/api/state").json["game"]["rules"]) == 1


@pytest.mark.parametrize("key", ["carnavalesco", "carnival_of_sins"])
def test_a_past_roll_is_corrected_and_says_so_on_every_page(stage: Stage, phone: FlaskClient, key: str) -> None:
    game = games()[key]
    stage.table.open_game(key, game.sample_setup(3))
    play(stage, until_turn=1)
    roll = stage.table.log(1)[0]
    at = len(roll["move"]["dice"]) - 1
    die = roll["move"]["dice"][at]
    to = {"colour": die["colour"], "value": die["value"] % 6 + 1, "shape": die.get("shape", "d6")}
    answer = phone.post("/api/correct", json=stage.sent(seq=roll["seq"], die=at, to=to))
    assert answer.status_code == 200
    lines = {entry["seq"]: entry for entry in phone.get("/api/log").json["log"]}
    assert lines[roll["seq"]]["corrected"] is True
    assert lines[roll["seq"]]["move"]["dice"][at]["value"] == to["value"]
    for page in ("/log", f"/history/{stage.table.game_id}"):
        assert "corrected" in words(phone.get(page).text), page
    wrong = phone.post("/api/correct", json=stage.sent(seq=roll["seq"], die=at, to={**to, "value": 21}))
    assert wrong.status_code == 400
    assert wrong.json["error"]["message"]


def test_a_die_of_any_shape_is_corrected(stage: Stage, phone: FlaskClient) -> None:
    game = games()["carnival_of_sins"]
    stage.table.open_game("carnival_of_sins", game.sample_setup(2))
    stage.table.apply(game.roll_move(stage.table.state, game.sample_roll(stage.table.state, lambda most: 0)))
    roll = stage.table.log(1)[0]
    at = [one["shape"] for one in roll["move"]["dice"]].index("d20")
    to = Die("black", 17, Shape.D20)
    body = stage.sent(seq=roll["seq"], die=at, to={"colour": "black", "value": 17, "shape": "d20"})
    assert phone.post("/api/correct", json=body).status_code == 200
    assert stage.table.state.value("d20") == to.value
    bare = stage.sent(seq=roll["seq"], die=at, to={"colour": "black", "value": 16})
    assert phone.post("/api/correct", json=bare).status_code == 200, "a die that lies there keeps its shape"
    assert stage.table.state.value("d20") == 16
    body["id"], body["to"]["shape"] = "another", "d12"
    assert phone.post("/api/correct", json=body).status_code in (400, 409, 422), "a d20 stays a d20"


def test_cards_are_undone_for_there_is_no_die_to_correct(stage: Stage, phone: FlaskClient) -> None:
    game = games()["roda_de_samba"]
    stage.table.open_game("roda_de_samba", game.sample_setup(2))
    play(stage, until_turn=6)
    entry = stage.table.log(1)[0]
    to = {"colour": "red", "value": 1}
    refused = phone.post("/api/correct", json=stage.sent(seq=entry["seq"], die=0, to=to))
    assert refused.status_code in (400, 422)
    assert phone.post("/api/undo", json=stage.sent(seq=entry["seq"])).status_code == 200
    assert "undone" in words(phone.get("/log").text)


def test_sins_of_an_earlier_round_stay_hidden_on_every_page(stage: Stage, phone: FlaskClient) -> None:
    game = games()["carnival_of_sins"]
    stage.table.open_game("carnival_of_sins", {"players": [{"name": "Ana"}, {"name": "Bia"}]})

    def roll() -> None:
        stage.table.apply(game.roll_move(stage.table.state, game.sample_roll(stage.table.state, lambda most: 0)))

    def reveal(seat: int, sin: str) -> None:
        moves = game.legal_moves(stage.table.state)
        stage.table.apply(next(move for move in moves if (move.get("seat"), move.get("sin")) == (seat, sin)))

    roll()
    reveal(0, "gluttony")
    stage.table.undo()
    reveal(0, "sloth")
    reveal(1, "envy")
    roll()
    told = [phone.get(page).text for page in ("/", "/log", "/tv", "/end", f"/history/{stage.table.game_id}")]
    told += [phone.get(page).text for page in ("/api/state", "/api/log")]
    for text in told:
        lines = [text] if text.startswith("{") else [words(text)]
        for line in lines:
            assert not re.search(r"(Ana|Bia) reveals (Gluttony|Sloth|Envy)", line)
            assert "Undone: Ana reveals" not in line
