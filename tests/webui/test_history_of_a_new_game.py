"""A fourth game needs nothing more for its plot, its records and its files than its rules."""

from __future__ import annotations

import csv
import io
import re

from flask.testing import FlaskClient

from engine.replay import replay_document
from tests.engine.test_a_new_game import SETUP, one_more_folder
from tests.webui.stage import Stage

__all__ = ["one_more_folder"]


def test_its_points_are_plotted_recorded_and_taken_along(stage: Stage, phone: FlaskClient) -> None:
    stage.table.open_game("highest", SETUP)
    for value in (7, 12):
        stage.table.apply({"move": "roll", "value": value})
    game_id = str(stage.table.game_id)
    page = phone.get(f"/history/{game_id}").text
    assert '<svg class="plot"' in page
    assert "2 turns. At the end: Ana 7, Bia 12." in page
    assert "12 wins." in page
    rows = list(csv.reader(io.StringIO(phone.get(f"/history/{game_id}.csv").get_data().decode("utf-8-sig"))))
    assert [row[-2:] for row in rows] == [["points Ana", "points Bia"], ["7", "0"], ["7", "12"]]
    assert replay_document(phone.get(f"/history/{game_id}.json").json["play"])["outcome"]["ranking"] == [[1], [0]]
    records = phone.get("/records").text
    assert re.search(r">Bia</a>.*?<td class=\"number\">1</td>\s*<td class=\"number\">1", records, re.DOTALL)
    stage.table.rematch()
    assert "12 wins." in phone.get("/history").text
