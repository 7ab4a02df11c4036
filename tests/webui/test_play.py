"""Acts at the table: decided on a version, done once, refused with the newer state, told in the one shape."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from engine.dice import Die
from engine.journal import JournalFull
from tests.waiting import until
from tests.webui.stage import TWO, Stage, some_dice

TAKE = {"move": "take", "seat": 0, "places": [{"die": 0, "element": "drums"}, {"die": 1, "element": "harmony"}]}
ROLL = {"move": "roll", "dice": [{"colour": die.colour, "value": die.value} for die in some_dice(12)]}


def test_the_state_is_sent_only_when_it_changed(stage: Stage, phone: FlaskClient) -> None:
    first = phone.get("/api/state")
    version = first.json["version"]
    assert phone.get(f"/api/state?since={version}").status_code == 304
    assert phone.get("/api/state", headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    stage.open_game()
    again = phone.get(f"/api/state?since={version}")
    assert again.status_code == 200
    assert again.json["version"] > version
    assert again.json["game"]["seats"] == ["Ana", "Bia"]
    for nonsense in ("-1", "x", "9" * 40, "½"):
        assert phone.get("/api/state", query_string={"since": nonsense}).status_code == 200


def test_a_change_of_the_camera_changes_the_version_but_makes_no_move_stale(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    sent = stage.sent(move=ROLL)
    version = phone.get("/api/state").json["version"]
    stage.station.touch()
    assert phone.get(f"/api/state?since={version}").status_code == 200
    assert phone.post("/api/moves", json=sent).status_code == 200


def test_a_move_is_made_and_answers_with_the_new_state(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    rolled = phone.post("/api/moves", json=stage.sent(move=ROLL)).json["state"]
    assert rolled["game"]["view"]["phase"] == "take"
    assert rolled["log"][0]["text"].startswith("Ana rolled 12 dice")
    taken = phone.post("/api/moves", json=stage.sent(move=TAKE)).json["state"]
    assert taken["game"]["view"]["players"][0]["placed"] == 2
    assert taken["game"]["prompt"]["seat"] == 1


def test_a_move_decided_on_an_older_state_is_refused_with_the_newer_one(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    stage.roll()
    old = stage.sent(move=TAKE)
    stage.take()
    answer = phone.post("/api/moves", json=old)
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "stale_version")
    assert answer.json["state"]["game"]["view"]["players"][0]["placed"] == 2
    assert answer.json["state"]["version"] > old["version"]


def test_the_same_act_twice_is_done_once(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    stage.roll()
    sent = stage.sent(move=TAKE)
    assert phone.post("/api/moves", json=sent).status_code == 200
    again = phone.post("/api/moves", json=sent)
    assert again.status_code == 200
    assert again.json["state"]["game"]["view"]["players"][0]["placed"] == 2
    undo = stage.sent(count=1)
    assert phone.post("/api/undo", json=undo).status_code == 200
    assert phone.post("/api/undo", json=undo).status_code == 200
    assert stage.table.now().game.view(stage.table.now().state)["phase"] == "take"


def test_a_move_against_the_rules_changes_nothing(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    before = stage.table.version
    answer = phone.post("/api/moves", json=stage.sent(move=TAKE))
    assert answer.status_code == 422
    assert answer.json["error"]["message"]
    wrong = {"move": "roll", "dice": [{"colour": "red", "value": 7}] * 12}
    bad = phone.post("/api/moves", json=stage.sent(move=wrong))
    assert bad.status_code == 400
    assert "value" in bad.json["error"]["field"]
    assert stage.table.version == before


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"id": "a", "move": {}}, "version"),
        ({"version": "1", "id": "a", "move": {}}, "version"),
        ({"version": True, "id": "a", "move": {}}, "version"),
        ({"version": 1, "move": {}}, "id"),
        ({"version": 1, "id": "", "move": {}}, "id"),
        ({"version": 1, "id": "x" * 101, "move": {}}, "id"),
        ({"version": 1, "id": "a"}, "move"),
        ({"version": 1, "id": "a", "move": "roll"}, "move"),
    ],
)
def test_an_act_without_its_parts_names_the_field(stage: Stage, body: dict[str, object], field: str) -> None:
    stage.open_game()
    answer = stage.app.test_client().post("/api/moves", json=body)
    assert (answer.status_code, answer.json["error"]["field"]) == (400, field)


def test_no_game_is_no_crash(stage: Stage, phone: FlaskClient) -> None:
    assert phone.post("/api/moves", json=stage.sent(move=ROLL)).json["error"]["code"] == "no_game"
    assert phone.post("/api/undo", json=stage.sent()).json["error"]["code"] == "no_game"
    assert phone.post("/api/proposal/hand", json={}).status_code == 422


def test_turns_are_undone_and_stay_in_the_log(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    stage.roll()
    stage.take()
    stage.take()
    state = phone.post("/api/undo", json=stage.sent(count=2)).json["state"]
    assert state["game"]["view"]["turn"] == 0
    assert [entry["undone"] for entry in state["log"] if entry["kind"] == "move"] == [True, True, False]
    too_many = phone.post("/api/undo", json=stage.sent(count=5))
    assert too_many.status_code == 422


def test_the_state_carries_the_newest_lines_and_the_log_all_of_them(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    for _ in range(4):
        stage.roll()
        for _ in range(4):
            stage.take()
    newest = phone.get("/api/state").json["log"]
    everything = phone.get("/api/log").json["log"]
    assert len(newest) == 16
    assert len(everything) == 21
    assert everything[:16] == newest


def test_a_die_of_a_past_roll_is_corrected_and_what_follows_is_computed_again(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    stage.roll()
    roll = stage.table.version
    stage.take()
    taken = stage.table.now().game.view(stage.table.now().state)["players"][0]["elements"]
    die = next(at for at, one in enumerate(stage.table.now().state.taken) if one is not None)
    answer = phone.post("/api/correct", json=stage.sent(seq=roll, die=die, to={"colour": "black", "value": 6}))
    assert answer.status_code == 200
    after = answer.json["state"]["game"]["view"]["players"][0]["elements"]
    assert after != taken
    assert any(one["colour"] == "black" and one["value"] == 6 for dice in after.values() for one in dice)
    assert any(entry["corrected"] for entry in answer.json["state"]["log"])
    bad = phone.post("/api/correct", json=stage.sent(seq=roll, die=die, to={"colour": "black", "value": 9}))
    assert bad.status_code == 400
    half = phone.post("/api/correct", json=stage.sent(seq=roll, die=die, to={"value": 3}))
    assert half.json["error"]["message"] == "“colour” must be text. Nothing was changed."
    shape = phone.post(
        "/api/correct", json=stage.sent(seq=roll, die=die, to={"colour": "red", "value": 1, "shape": "d7"})
    )
    assert shape.json["error"]["field"] == "to.shape"


def test_a_game_is_opened_with_the_strips_of_the_table(stage: Stage, phone: FlaskClient) -> None:
    strip = {str(total): min(10, total // 3) for total in range(4, 25)}
    kept = phone.post("/api/strips", json=stage.sent(division="D", numbers=strip))
    assert kept.status_code == 201
    assert any("17" in warning for warning in kept.json["warnings"])
    assert kept.json["state"]["table"]["strips"]["D"]["17"] == 5
    setup = {"players": [{"name": "Ana", "division": "D", "table": "user"}, {"name": "Bia"}]}
    opened = phone.post("/api/games", json=stage.sent(game="carnavalesco", setup=setup))
    assert opened.status_code == 201
    assert opened.json["state"]["game"]["view"]["strips"] == ["D"]
    second = phone.post("/api/games", json=stage.sent(game="carnavalesco", setup=setup))
    assert second.status_code == 422
    again = phone.post("/api/games", json=stage.sent(game="carnavalesco", setup=setup, abandon=True))
    assert again.status_code == 201


def test_a_strip_copied_while_playing_counts_at_once(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    strip = {str(total): 7 for total in range(4, 25)}
    state = phone.post("/api/strips", json=stage.sent(division="D", numbers=strip)).json["state"]
    assert {player["table"] for player in state["game"]["view"]["players"]} == {"user"}


def test_a_strip_copied_while_playing_is_one_line_and_one_undo(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    strip = {str(total): 7 for total in range(4, 25)}
    state = phone.post("/api/strips", json=stage.sent(division="D", numbers=strip)).json["state"]
    assert [entry["text"] for entry in state["log"][:-1]] == ["The printed strip of division D was copied."]
    state = phone.post("/api/undo", json=stage.sent(count=1)).json["state"]
    assert {player["table"] for player in state["game"]["view"]["players"]} == {"practice"}
    assert [entry["undone"] for entry in state["log"]][1] is True
    assert state["table"]["strips"]["D"]["17"] == 7, "the table keeps it for the next game"
    other = phone.post("/api/strips", json=stage.sent(division="S", numbers=strip)).json["state"]
    assert other["log"][0]["text"] == "The strip of division S is copied."
    assert len(phone.get("/api/log").json["log"]) == len(other["log"])


def test_colours_are_told_in_words(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game({**TWO, "colours": ["azul_marinho", "red", "yellow", "green", "white", "black"]})
    stage.roll([Die("azul_marinho", 1)] * 12)
    stage.take()
    state = phone.get("/api/state").json
    assert "azul marinho 1" in state["log"][0]["text"]
    assert "azul marinho 1" in state["game"]["scoreboard"]["players"][0]["elements"]["vanguard"]["why"]
    assert state["game"]["view"]["roll"][0]["colour"] == "azul_marinho", "programs get its name"


def test_a_confirm_that_is_sent_again_is_done_once(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    stage.reader.dice = some_dice(12)
    phone.post("/api/capture", json={})
    until(lambda: stage.station.state == "proposal")
    sent = stage.sent(proposal=stage.station.proposal["id"])
    assert phone.post("/api/proposal/confirm", json=sent).status_code == 200
    assert phone.post("/api/proposal/confirm", json=sent).status_code == 200
    late = phone.post("/api/proposal/confirm", json=stage.sent(proposal=sent["proposal"]))
    assert (late.status_code, late.json["error"]["code"]) == (409, "no_proposal")
    assert late.json["state"]["game"]["view"]["phase"] == "take"


def test_a_strange_strip_is_warned_of_a_broken_one_refused(stage: Stage, phone: FlaskClient) -> None:
    strip = {str(total): 10 - total // 3 for total in range(4, 25)}
    strange = phone.post("/api/strips/check", json={"division": "C", "numbers": strip})
    assert strange.status_code == 200
    assert strange.json["warnings"]
    del strip["24"]
    missing = phone.post("/api/strips", json=stage.sent(division="C", numbers=strip))
    assert missing.status_code == 400
    assert stage.table.strips == {}


def test_the_tables_colours_are_named_and_tinted(stage: Stage, phone: FlaskClient) -> None:
    colours = ["ivory", "maroon", "glitter", "red", "blue", "green"]
    kept = phone.post("/api/colours", json=stage.sent(colours=colours, tints={"ivory": "#EFE6CF"}))
    assert kept.status_code == 201
    looks = kept.json["state"]["table"]["palette"]
    assert looks["ivory"]["fill"] == "#EFE6CF"
    assert len({looks[name]["letter"] for name in colours}) == 6
    for wrong in (["red"] * 6, ["red"], [1, 2, 3, 4, 5, 6]):
        assert phone.post("/api/colours", json=stage.sent(colours=wrong)).status_code == 400
    tint = phone.post("/api/colours", json=stage.sent(colours=colours, tints={"ivory": "url(evil)"}))
    assert tint.json["error"]["field"] == "tints.ivory"


def test_a_rematch_has_the_same_people(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game(TWO)
    stage.play_to_the_end()
    first = stage.table.game_id
    again = phone.post("/api/games", json=stage.sent(rematch=True))
    assert again.status_code == 201
    assert again.json["state"]["game"]["id"] != first
    assert again.json["state"]["game"]["seats"] == ["Ana", "Bia"]
    page = phone.get(f"/history/{first}").text
    assert "Open it again to correct" in page, "it was won, not put away"
    assert "Take it on again" not in page
    back = phone.post(f"/api/games/{first}/reopen", json=stage.sent())
    assert back.status_code in (200, 422)
    assert phone.post("/api/games/nothing/reopen", json=stage.sent()).status_code == 400


def test_a_full_disk_is_told_and_changes_nothing(
    stage: Stage, phone: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.open_game()

    def full(*_: object, **__: object) -> None:
        raise JournalFull("disk_full", "The disk is full. The game stays as it was. Free some space.")

    monkeypatch.setattr(stage.journal, "append", full)
    answer = phone.post("/api/moves", json=stage.sent(move=ROLL))
    assert (answer.status_code, answer.json["error"]["code"]) == (503, "disk_full")
    assert stage.table.now().game.view(stage.table.now().state)["phase"] == "roll"
