"""From a photograph to a confirmed, logged turn, on the whole product; and a pulled plug in between."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine.dice import Die, Shape
from tests.e2e.conftest import JURADO, Product, free_port
from tests.waiting import until
from vision.reading import Box
from vision.rendering import render_scene

SIX = ("red", "yellow", "green", "blue", "white", "black")


def dice_of(things: list[dict[str, Any]]) -> Counter[tuple[str, int]]:
    return Counter((die["colour"], die["value"]) for die in things)


def confirm(product: Product, proposal: dict[str, Any]) -> dict[str, Any]:
    """Confirm as people do: look at the doubtful dice and say that they are right."""
    for die in proposal["dice"]:
        if die["state"] in ("unsure", "cocked"):
            edit = {"proposal": proposal["id"], "action": "edit", "index": die["index"]}
            assert product.post("/api/proposal/dice", edit)[0] == 200
    return product.act("/api/proposal/confirm", proposal=proposal["id"])


def roll_and_confirm(product: Product) -> dict[str, Any]:
    """Photograph until all the dice are seen (one may hide, a busy camera be late: people press again), and confirm."""

    def seen() -> dict[str, Any] | None:
        proposal = product.read_roll()
        if proposal["state"] == "failed":
            assert proposal["error"]["code"] == "camera_timeout", proposal
            return None
        assert proposal["state"] == "ready", proposal
        return None if proposal["problems"] else proposal

    return confirm(product, until(seen))


def take_two(product: Product, first: int) -> dict[str, Any]:
    state = product.state
    places = [{"die": first, "element": "harmony"}, {"die": first + 1, "element": "drums"}]
    move = {"move": "take", "seat": state["game"]["view"]["turn"], "places": places}
    return product.act("/api/moves", move=move)


def test_the_demo_reads_its_rendered_table_and_the_turn_is_logged(two_schools: Product) -> None:
    state = roll_and_confirm(two_schools)
    assert len(state["game"]["view"]["roll"]) == 12
    assert state["game"]["view"]["phase"] == "take"
    assert state["proposal"] is None
    photo = until(lambda: two_schools.state["log"][0]["photo"])
    assert photo.startswith("/photos/")
    state = take_two(two_schools, 0)
    assert [die["taken_by"] for die in state["game"]["view"]["roll"][:3]] == [0, 0, None]
    assert state["log"][0]["text"].startswith("Ana took")


def test_a_second_press_photographs_another_roll(two_schools: Product) -> None:
    first, second = two_schools.read_roll(), two_schools.read_roll()
    assert first["photo"] != second["photo"]
    assert [die["box"] for die in first["dice"]] != [die["box"] for die in second["dice"]]


def test_a_pulled_plug_between_two_moves_loses_nothing(two_schools: Product) -> None:
    roll_and_confirm(two_schools)
    before = take_two(two_schools, 0)
    two_schools.kill()
    two_schools.start()
    after = two_schools.state
    for part in ("view", "scoreboard", "prompt", "seats"):
        assert after["game"][part] == before["game"][part]
    assert [entry["text"] for entry in after["log"]] == [entry["text"] for entry in before["log"]]
    assert take_two(two_schools, 2)["game"]["view"]["picks"] == [0, 1]


def test_a_played_game_is_exported_and_replayed_to_the_same_state(two_schools: Product, tmp_path: Path) -> None:
    roll_and_confirm(two_schools)
    take_two(two_schools, 4)
    game = two_schools.state["game"]["id"]
    two_schools.stop()

    def jurado(*words: str, **options: Any) -> str:
        command = [JURADO, *words]
        done = subprocess.run(command, capture_output=True, text=True, check=True, **options)
        return done.stdout

    home = {**os.environ, "JURADO_HOME": str(two_schools.home)}
    exported = jurado("export", game, env=home)
    (tmp_path / "game.json").write_text(exported)
    once = json.loads(jurado("replay", str(tmp_path / "game.json")))
    assert once == json.loads(jurado("replay", input=exported))
    assert once["prompt"]["seat"] == 1
    two_schools.start()


def set_right(product: Product, proposal: dict[str, Any], truth: list[tuple[Box, Die]]) -> int:
    """Correct a proposal as people do who see the table; return how many dice had to be corrected or added."""
    left = list(truth)
    corrected = 0

    def say(**what: Any) -> None:
        status, answer = product.post("/api/proposal/dice", {"proposal": proposal["id"], **what})
        assert status == 200, answer

    for seen in proposal["dice"]:
        x, y = seen["box"][0] + seen["box"][2] / 2, seen["box"][1] + seen["box"][3] / 2
        here = [
            one for one in left if one[0][0] <= x <= one[0][0] + one[0][2] and one[0][1] <= y <= one[0][1] + one[0][3]
        ]
        if not here:
            say(action="remove", index=seen["index"])
            continue
        left.remove(here[0])
        die = here[0][1]
        sure, right = seen["state"] == "read", (seen["colour"], seen["value"]) == (die.colour, die.value)
        assert right or not sure, f"wrong and sure: {seen} is a {die}"
        if not right or not sure:
            corrected += not right
            say(action="edit", index=seen["index"], colour=die.colour, value=die.value)
    for _, die in left:
        corrected += 1
        say(action="add", colour=die.colour, value=die.value)
    return corrected


def test_a_photograph_file_from_a_phone_becomes_a_confirmed_turn(two_schools: Product, tmp_path: Path) -> None:
    rng = np.random.default_rng(20261129)
    dice = [Die(SIX[at % 6], int(rng.integers(1, 7)), Shape.D6) for at in range(12)]
    scene = render_scene(rng, dice, width=1280, height=960, calm=True)
    file = tmp_path / "roll.jpg"
    assert cv2.imwrite(str(file), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    status, answer = two_schools.send("/api/photo", file.read_bytes(), "image/jpeg")
    assert status == 202, answer
    proposal = two_schools.proposal()
    assert proposal["source"] == "phone"
    assert (proposal["width"], proposal["height"]) == (1280, 960)
    assert set_right(two_schools, proposal, [(one.box, one.die) for one in scene.dice]) <= 2
    state = two_schools.act("/api/proposal/confirm", proposal=proposal["id"])
    assert dice_of(state["game"]["view"]["roll"]) == Counter((die.colour, die.value) for die in dice)
    assert "12 dice" in state["log"][0]["text"]


def test_a_picture_that_is_none_gets_a_sentence_and_the_game_stays(two_schools: Product) -> None:
    before = two_schools.state
    status, answer = two_schools.send("/api/photo", b"this is no picture", "image/jpeg")
    assert status == 400
    assert answer["error"]["code"] == "bad_photo"
    assert two_schools.state["game"] == before["game"]
    assert two_schools.state["proposal"] is None


def test_a_second_table_in_the_same_folder_is_refused_with_a_sentence(product: Product) -> None:
    command = [JURADO, "serve", "--demo", "--port", str(free_port())]
    env = {**os.environ, "JURADO_HOME": str(product.home)}
    second = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert second.returncode != 0
    assert "already using" in second.stdout + second.stderr
    assert "Traceback" not in second.stderr
    assert product.get("/healthz")[0] == 200


def test_a_stop_just_after_the_first_page_ends_in_good_order(product: Product) -> None:
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", product.port)) as stream:
            stream.sendall(b"GET /api/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            product.stop()
        assert product.process.returncode == 0
        product.start()
