"""The page of the table's own dice, with the real reader behind it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from device.loading import LoadingReader
from device.teaching import Teaching
from tests.two_dice import two_dice
from tests.waiting import until
from tests.webui.phone import Phone
from tests.webui.stage import Served, Stage
from vision.reader import Reader
from vision.rendering import Scene


@pytest.fixture(scope="module")
def scene() -> Scene:
    return two_dice()


def lie_there(stage: Stage, scene: Scene, phone: FlaskClient) -> dict[str, Any]:
    """Let the scene's photograph be the proposal, its dice read rightly; return it."""
    import cv2

    stage.open_game()
    stage.reader.dice = [die.die for die in scene.dice]
    boxes = [die.box for die in scene.dice]
    plain = stage.reader.read

    def read(image: Any, **how: Any) -> Any:
        reading = plain(image, **how)
        dice = tuple(replace(die, box=box) for die, box in zip(reading.dice, boxes, strict=True))
        return replace(reading, dice=dice)

    stage.reader.read = read  # type: ignore[method-assign]
    picture = cv2.imencode(".png", scene.image)[1].tobytes()
    assert phone.post("/api/photo", data=picture, content_type="image/png").status_code == 202
    until(lambda: (now := phone.get("/api/state").json["proposal"]) and now["state"] == "ready")
    return phone.get("/api/state").json["proposal"]  # type: ignore[no-any-return]


def learned(phone: FlaskClient) -> Any:
    until(lambda: not phone.get("/api/dice").json["busy"])
    return phone.get("/api/dice").json


def test_the_roll_that_lies_there_is_taught_shown_forgotten_and_carried_on(
    taught: Stage, phone: FlaskClient, scene: Scene
) -> None:
    assert "No die was taught yet" in phone.get("/dice").text
    assert phone.get("/dice/taught.zip").status_code == 404
    proposal = lie_there(taught, scene, phone)
    page = phone.get("/dice").text
    assert "Teach these dice" in page
    assert "red d6</span> <strong>3</strong>" in page, "what will be taught stands beside each picture"
    assert phone.post("/api/dice/teach", json={"proposal": proposal["id"]}).status_code == 202
    known = learned(phone)
    assert known["notice"] == "2 pictures of dice are new."
    assert [die["die"] for die in known["dice"]] == ["blue d6", "red d6"]
    page = phone.get("/dice").text
    assert "Still missing: 1, 2, 4, 5, 6" in page
    lesson = known["dice"][1]["faces"]["3"][0]
    picture = phone.get(f"/dice/{lesson}.jpg")
    assert picture.data[:2] == b"\xff\xd8"
    assert phone.get("/dice/0000000000000000.jpg").status_code == 404
    file = phone.get("/dice/taught.zip").data
    assert phone.post("/api/dice/forget", json={"die": "all"}).json["forgotten"] == 2
    assert phone.get("/api/dice").json["dice"] == []
    back = phone.post("/api/dice/import", data=file, content_type="application/zip")
    assert (back.status_code, back.json["added"]) == (201, 2)


def test_the_page_follows_the_roll_on_the_table(taught: Stage, phone: FlaskClient, scene: Scene) -> None:
    house, hand = Served(taught), Phone()
    try:
        hand.open(f"{house.url}/dice")
        hand.waits_for("No roll lies there")
        lie_there(taught, scene, phone)
        hand.waits_for("Teach these dice", "#teach")
        taught.station.discard(taught.station.proposal["id"])
        hand.waits_for("No roll lies there", "#teach")
    finally:
        hand.close()
        house.close()


def test_colours_alone_can_be_taught(taught: Stage, phone: FlaskClient, scene: Scene) -> None:
    proposal = lie_there(taught, scene, phone)
    phone.post("/api/dice/teach", json={"proposal": proposal["id"], "colours_only": True})
    assert [(len(die["colour_only"]), die["faces"]) for die in learned(phone)["dice"]] == [(1, {}), (1, {})]


def test_a_doubtful_roll_is_not_taught(taught: Stage, phone: FlaskClient, scene: Scene) -> None:
    taught.reader.doubts = {0}
    proposal = lie_there(taught, scene, phone)
    refused = phone.post("/api/dice/teach", json={"proposal": proposal["id"]})
    assert (refused.status_code, refused.json["error"]["code"]) == (422, "doubtful_dice")
    assert "Some dice are doubtful" in phone.get("/dice").text


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/api/dice/teach", {}, "no_proposal"),
        ("/api/dice/teach", {"names": {"x": 1}}, "bad_field"),
        ("/api/dice/forget", {}, "bad_field"),
        ("/api/dice/forget", {"die": "pink d6"}, "unknown_die"),
    ],
)
def test_what_cannot_be_done_is_said(
    taught: Stage, phone: FlaskClient, path: str, body: dict[str, Any], code: str
) -> None:
    answer = phone.post(path, json=body)
    assert answer.json["error"]["code"] == code
    assert answer.json["error"]["message"].endswith(".")


def test_a_foreign_file_changes_nothing(taught: Stage, phone: FlaskClient) -> None:
    answer = phone.post("/api/dice/import", data=b"PK nothing", content_type="application/zip")
    assert answer.json["error"]["code"] == "bad_file"
    assert phone.post("/api/dice/import", data=b"x", content_type="text/plain").status_code == 415


def test_who_has_not_joined_may_look_and_not_teach(closed_stage: Stage, reader: Reader, tmp_path: Path) -> None:
    loading = LoadingReader(lambda: reader)
    loading.start()
    until(lambda: not loading.loading)
    services = closed_stage.app.extensions["jurado"]
    teaching = Teaching(tmp_path / "dice", loading, closed_stage.photos.folder, dict)
    closed_stage.app.extensions["jurado"] = replace(services, teaching=teaching)
    phone = closed_stage.app.test_client()
    assert phone.get("/dice").status_code == 200
    assert phone.post("/api/dice/forget", json={"die": "all"}).status_code == 403
    assert phone.get("/dice/taught.zip").status_code == 403
