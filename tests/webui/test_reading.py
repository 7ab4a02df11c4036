"""From a press to a confirmed roll over HTTP, on the real station."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from tests.waiting import until
from tests.webui.stage import Stage, some_dice


@pytest.fixture
def playing(stage: Stage) -> Stage:
    stage.open_game()
    stage.reader.dice = some_dice(12)
    return stage


def proposal(phone: FlaskClient) -> dict[str, Any]:
    found = phone.get("/api/state").json["proposal"]
    assert found is not None
    return found  # type: ignore[no-any-return]


def ready(phone: FlaskClient) -> dict[str, Any]:
    until(lambda: (now := phone.get("/api/state").json["proposal"]) and now["state"] != "capturing")
    return proposal(phone)


def test_a_press_becomes_a_proposal_with_its_photograph(playing: Stage, phone: FlaskClient) -> None:
    assert phone.post("/api/capture", json={}).status_code == 202
    found = ready(phone)
    assert found["state"] == "ready"
    assert len(found["dice"]) == 12
    picture = phone.get(found["photo"])
    assert picture.status_code == 200
    assert picture.data[:2] == b"\xff\xd8"
    assert "private" in picture.headers["Cache-Control"]
    assert phone.get(found["dice"][0]["crop"]).status_code == 200


def test_a_doubtful_die_is_asked_about_before_it_counts(playing: Stage, phone: FlaskClient) -> None:
    playing.reader.doubts = {4}
    phone.post("/api/capture", json={})
    found = ready(phone)
    assert found["doubtful"] == 1
    assert found["dice"][0]["state"] == "unsure", "doubtful ones first"
    refused = phone.post("/api/proposal/confirm", json=playing.sent(proposal=found["id"]))
    assert (refused.status_code, refused.json["error"]["code"]) == (422, "doubtful_dice")
    index = found["dice"][0]["index"]
    said = phone.post(
        "/api/proposal/dice", json={"proposal": found["id"], "action": "edit", "index": index, "value": 2}
    )
    assert said.json["state"]["proposal"]["doubtful"] == 0
    done = phone.post("/api/proposal/confirm", json=playing.sent(proposal=found["id"]))
    assert done.status_code == 200
    assert done.json["state"]["proposal"] is None
    assert done.json["state"]["game"]["view"]["phase"] == "take"


def test_the_photograph_stays_with_its_turn(playing: Stage, phone: FlaskClient) -> None:
    phone.post("/api/capture", json={})
    found = ready(phone)
    phone.post("/api/proposal/confirm", json=playing.sent(proposal=found["id"]))
    until(lambda: phone.get("/api/state").json["log"][0]["photo"] == found["photo"])


def test_a_die_is_added_and_removed(playing: Stage, phone: FlaskClient) -> None:
    playing.reader.dice = some_dice(11)
    phone.post("/api/capture", json={})
    found = ready(phone)
    assert any("11 of 12" in problem for problem in found["problems"])
    refused = phone.post("/api/proposal/confirm", json=playing.sent(proposal=found["id"]))
    assert refused.status_code == 422
    add = {"proposal": found["id"], "action": "add", "colour": "red", "value": 6}
    added = phone.post("/api/proposal/dice", json=add).json["state"]["proposal"]
    assert len(added["dice"]) == 12
    assert added["problems"] == []
    remove = {"proposal": found["id"], "action": "remove", "index": added["dice"][0]["index"]}
    assert len(phone.post("/api/proposal/dice", json=remove).json["state"]["proposal"]["dice"]) == 11


@pytest.mark.parametrize(
    "change",
    [
        {"action": "edit", "index": 0, "value": 7},
        {"action": "edit", "index": 0, "shape": "d7"},
        {"action": "edit", "index": 0, "colour": "no colour!"},
        {"action": "edit", "index": 99, "value": 1},
        {"action": "edit", "value": 1},
        {"action": "paint", "index": 0},
        {"index": 0},
    ],
)
def test_a_wrong_correction_is_refused_in_words(playing: Stage, phone: FlaskClient, change: dict[str, Any]) -> None:
    phone.post("/api/capture", json={})
    found = ready(phone)
    answer = phone.post("/api/proposal/dice", json={"proposal": found["id"], **change})
    assert answer.status_code == 400
    assert answer.json["error"]["message"]
    assert proposal(phone)["dice"] == found["dice"]


def test_another_proposal_by_now_is_a_conflict_with_the_newer_state(playing: Stage, phone: FlaskClient) -> None:
    phone.post("/api/proposal/hand", json={})
    first = proposal(phone)["id"]
    phone.post("/api/proposal/hand", json={})
    answer = phone.post("/api/proposal/discard", json={"proposal": first})
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "stale_proposal")
    assert answer.json["state"]["proposal"]["id"] != first
    gone = phone.post("/api/proposal/discard", json={})
    assert gone.json["state"]["proposal"] is None
    late = phone.post("/api/proposal/confirm", json=playing.sent(proposal=first))
    assert (late.status_code, late.json["error"]["code"]) == (409, "no_proposal")


def test_a_roll_is_typed_die_by_die(playing: Stage, phone: FlaskClient) -> None:
    typed = phone.post("/api/proposal/hand", json={}).json["state"]["proposal"]
    assert typed["empty"] == 12
    for at, die in enumerate(some_dice(12)):
        body = {"proposal": typed["id"], "action": "edit", "index": at, "colour": die.colour, "value": die.value}
        assert phone.post("/api/proposal/dice", json=body).status_code == 200
    sent = playing.sent(proposal=typed["id"])
    assert phone.post("/api/proposal/confirm", json=sent).status_code == 200
    again = phone.post("/api/proposal/confirm", json=sent)
    assert again.status_code == 200, "the same id twice is done once"
    assert again.json["state"]["game"]["view"]["phase"] == "take"


def test_a_missing_camera_leaves_the_other_ways(playing: Stage, phone: FlaskClient) -> None:
    playing.camera.missing = True
    phone.post("/api/capture", json={})
    found = ready(phone)
    assert found["state"] == "failed"
    assert found["error"]["code"] == "camera_missing"
    assert "by hand" in found["error"]["message"]
    assert phone.post("/api/proposal/hand", json={}).json["state"]["proposal"]["source"] == "hand"


def jpeg() -> bytes:
    import cv2

    return bytes(cv2.imencode(".jpg", np.full((120, 160, 3), 90, np.uint8))[1])


def test_a_phone_sends_its_own_photograph(playing: Stage, phone: FlaskClient) -> None:
    form = phone.post("/api/photo", data={"photo": (io.BytesIO(jpeg()), "dice.jpg")})
    assert form.status_code == 202
    assert ready(phone)["source"] == "phone"
    phone.post("/api/proposal/discard", json={})
    assert phone.post("/api/photo", data=jpeg(), content_type="image/jpeg").status_code == 202
    assert ready(phone)["state"] == "ready"


def test_a_phones_photograph_without_dice_leaves_the_reading_that_stands(playing: Stage, phone: FlaskClient) -> None:
    phone.post("/api/capture")
    stood = ready(phone)
    phone.post("/api/proposal/dice", json=playing.sent(action="edit", index=0, value=6))
    playing.reader.dice = ()
    assert phone.post("/api/photo", data=jpeg(), content_type="image/jpeg").status_code == 202
    until(lambda: playing.station.state == "proposal")
    now = playing.station.proposal
    assert now is not None
    assert (now["id"], now["photo"], len(now["dice"])) == (stood["id"], stood["photo"], len(stood["dice"]))
    assert next(die for die in now["dice"] if die["index"] == 0)["state"] == "corrected", "what was put right stays so"
    assert "No die is seen in the photograph that was just sent. The reading before it stands." in now["notice"]
    (other,) = playing.station.earlier
    assert (other["why"], other["dice"], other["source"]) == ("unseen", [], "phone")
    assert phone.post("/api/proposal/reread", json={"photo": other["photo"]}).status_code == 202
    until(lambda: (playing.station.proposal or {}).get("photo") == other["photo"], "the empty one, after all")
    until(lambda: playing.station.state == "proposal")
    assert playing.station.proposal is not None
    assert playing.station.proposal["dice"] == []
    assert [one["photo"] for one in playing.station.earlier] == [stood["photo"]]


@pytest.mark.parametrize("picture", [b"no picture at all", jpeg()[:200]])
def test_what_is_no_picture_is_refused_in_words(playing: Stage, phone: FlaskClient, picture: bytes) -> None:
    answer = phone.post("/api/photo", data=picture, content_type="image/jpeg")
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_photo")
    assert playing.station.proposal is None


def test_a_picture_that_moves_is_called_what_it_is(playing: Stage, phone: FlaskClient) -> None:
    answer = phone.post("/api/photo", data=b"GIF89a" + bytes(100), content_type="image/gif")
    assert answer.status_code == 400
    assert "is a GIF picture" in answer.json["error"]["message"]
    assert "Send a photograph as JPEG" in answer.json["error"]["message"]


def test_the_buttons_of_the_table_need_no_body(playing: Stage, phone: FlaskClient) -> None:
    assert phone.post("/api/capture").status_code == 202
    ready(phone)
    assert phone.post("/api/proposal/confirm").status_code == 200
    assert phone.post("/api/proposal/confirm").status_code == 409
    assert phone.post("/api/proposal/discard").status_code == 200
    foreign = phone.post("/api/capture", headers={"Origin": "http://evil.example"})
    assert foreign.status_code == 403


def test_nothing_sent_and_the_wrong_kind_sent(playing: Stage, phone: FlaskClient) -> None:
    assert phone.post("/api/photo", data={}, content_type="multipart/form-data").status_code in (400, 415)
    assert phone.post("/api/photo", data=b"", content_type="image/png").json["error"]["code"] == "no_photo"
    assert phone.post("/api/photo", json={}).status_code == 415


def test_what_the_journal_does_not_know_is_done_once_too(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    sent = stage.sent()
    assert phone.post("/api/proposal/hand", json=sent).status_code == 200
    proposal = stage.station.proposal["id"]
    assert phone.post("/api/proposal/hand", json=sent).status_code == 200
    assert stage.station.proposal["id"] == proposal
    add = stage.sent(action="add", colour="red", value=1)
    for _ in range(3):
        assert phone.post("/api/proposal/dice", json=add).status_code == 200
    assert len(stage.station.proposal["dice"]) == 13
    refused = stage.sent(action="remove", index=99)
    for _ in range(2):
        assert phone.post("/api/proposal/dice", json=refused).status_code in (400, 422)


def test_a_dropped_press_is_told_and_one_after_a_discard_is_not_dropped(stage: Stage, phone: FlaskClient) -> None:
    stage.reader.dice = some_dice(12)
    stage.open_game()
    assert phone.post("/api/capture").json["pressed"] is True
    assert phone.post("/api/capture").json["pressed"] is False
    until(lambda: stage.station.state == "proposal")
    assert phone.post("/api/proposal/discard").status_code == 200
    assert phone.post("/api/capture").json["pressed"] is True


def test_a_roll_that_does_not_count_is_told_to_everybody_once(playing: Stage, phone: FlaskClient) -> None:
    phone.post("/api/capture", json={})
    found = ready(phone)
    sent = playing.sent(proposal=found["id"], reason="bump")
    state = phone.post("/api/proposal/void", json=sent).json["state"]
    assert state["proposal"] is None
    assert state["log"][0]["kind"] == "roll.void"
    assert "the table or a die was bumped" in state["log"][0]["text"]
    assert [(one["photo"], one["why"]) for one in state["roll"]["earlier"]] == [(found["photo"], "bump")]
    assert len(state["roll"]["earlier"][0]["dice"]) == 12
    version = playing.table.version
    assert phone.post("/api/proposal/void", json=sent).status_code == 200
    assert playing.table.version == version
    until(lambda: phone.get("/api/state").json["log"][0]["photo"] == found["photo"])


@pytest.mark.parametrize("reason", ["bored", "", 7, None])
def test_a_roll_is_void_for_a_known_reason_alone(playing: Stage, phone: FlaskClient, reason: Any) -> None:
    phone.post("/api/capture", json={})
    found = ready(phone)
    answer = phone.post("/api/proposal/void", json=playing.sent(proposal=found["id"], reason=reason))
    assert (answer.status_code, answer.json["error"]["field"]) == (400, "reason")
    assert proposal(phone)["dice"] == found["dice"]


def test_a_photograph_is_read_again_once(playing: Stage, phone: FlaskClient) -> None:
    phone.post("/api/capture", json={})
    first = ready(phone)
    sent = playing.sent(proposal=first["id"])
    assert phone.post("/api/proposal/reread", json=sent).status_code == 202
    again = ready(phone)
    assert again["id"] != first["id"]
    assert again["photo"] == first["photo"]
    assert phone.post("/api/proposal/reread", json=sent).status_code == 202
    assert ready(phone)["id"] == again["id"]
    stale = phone.post("/api/proposal/reread", json={"proposal": first["id"]})
    assert (stale.status_code, stale.json["error"]["code"]) == (409, "stale_proposal")
    for photo in ("/photos/../journal.sqlite3", "/etc/passwd", first["dice"][0]["crop"]):
        strange = phone.post("/api/proposal/reread", json={"photo": photo})
        assert (strange.status_code, strange.json["error"]["code"]) == (400, "unknown_photo")


def test_a_die_that_was_pointed_at_is_read_and_asked_about(playing: Stage, phone: FlaskClient) -> None:
    playing.reader.dice = some_dice(11)
    phone.post("/api/capture", json={})
    found = ready(phone)
    assert found["missing"] == [{"shape": "d6", "colour": None}]
    add = playing.sent(proposal=found["id"], action="add", at=[320, 400.5])
    for _ in range(2):
        assert phone.post("/api/proposal/dice", json=add).status_code == 200
    until(lambda: not any(die["looking"] for die in proposal(phone)["dice"]))
    added = proposal(phone)["dice"][-1]
    assert len(proposal(phone)["dice"]) == 12
    assert (added["colour"], added["value"], added["state"]) == ("green", 2, "unsure")
    assert added["guesses"][0]["value"] == 2
    assert len(added["guesses"]) == 4


@pytest.mark.parametrize("at", [[1], [1, 2, 3], ["1", 2], [True, 2], {"x": 1}, "1,2", [1e9, 2], [-1, 2]])
def test_a_place_that_is_none_is_refused_in_words(playing: Stage, phone: FlaskClient, at: Any) -> None:
    playing.reader.dice = some_dice(11)
    phone.post("/api/capture", json={})
    found = ready(phone)
    answer = phone.post("/api/proposal/dice", json={"proposal": found["id"], "action": "add", "at": at})
    assert (answer.status_code, answer.json["error"]["field"]) == (400, "at")
    assert len(proposal(phone)["dice"]) == 11


def test_a_removed_die_comes_back(playing: Stage, phone: FlaskClient) -> None:
    phone.post("/api/capture", json={})
    found = ready(phone)
    one = {"proposal": found["id"], "index": 5}
    gone = phone.post("/api/proposal/dice", json={**one, "action": "remove"}).json["state"]["proposal"]
    assert [die["index"] for die in gone["removed"]] == [5]
    back = phone.post("/api/proposal/dice", json={**one, "action": "restore"}).json["state"]["proposal"]
    assert (len(back["dice"]), back["removed"]) == (12, [])
    assert phone.post("/api/proposal/dice", json={**one, "action": "restore"}).status_code == 400


def test_the_last_roll_that_counts_stays_in_the_state(playing: Stage, phone: FlaskClient) -> None:
    assert phone.get("/api/state").json["roll"] == {"last": None, "earlier": []}
    phone.post("/api/capture", json={})
    found = ready(phone)
    phone.post("/api/proposal/confirm", json=playing.sent(proposal=found["id"]))
    until(lambda: phone.get("/api/state").json["roll"]["last"]["photo"] == found["photo"])
    last = phone.get("/api/state").json["roll"]["last"]
    assert [die["value"] for die in last["dice"]] == [die.value for die in some_dice(12)]
    playing.take()
    assert phone.get("/api/state").json["roll"]["last"]["seq"] == last["seq"]
    playing.table.undo(2)
    assert phone.get("/api/state").json["roll"]["last"] is None, "it was taken back"
