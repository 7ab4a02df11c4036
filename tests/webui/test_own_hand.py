"""A hand is told to its seat's own phone, and to the phone that all share when it asks for that seat."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from engine.game import games
from tests.webui.stage import CODE, Stage


@pytest.fixture
def second_round(closed_stage: Stage) -> Stage:
    """Two players in round 2, who have played Greed and Envy; Bia is the Devil and reveals first."""
    game = games()["carnival_of_sins"]
    table = closed_stage.table
    table.open_game("carnival_of_sins", {"players": [{"name": "Ana"}, {"name": "Bia"}]})
    for sin in ("greed", "envy", None):
        if sin in ("greed", None):
            table.apply(game.roll_move(table.state, game.sample_roll(table.state, lambda most: 0)))
        if sin is not None:
            table.apply(next(move for move in game.legal_moves(table.state) if move.get("sin") == sin))
    return closed_stage


def at(stage: Stage, seat: int | str | None) -> FlaskClient:
    client = stage.app.test_client()
    assert client.post("/api/join", json=stage.sent(code=CODE, seat=seat)).status_code == 200
    return client


def sins(answer: object) -> set[str]:
    return {one["sin"] for one in answer["view"]["choices"]}  # type: ignore[index]


def test_the_phone_that_all_share_asks_for_one_hand_at_a_time(second_round: Stage) -> None:
    phone = at(second_round, "all")
    assert len(sins(phone.get("/api/state").json["game"])) == 7, "unasked it is told nothing"
    bia = sins(phone.get("/api/own?seat=1").json)
    assert len(bia) == 6
    assert "envy" not in bia


def test_a_player_sees_the_own_hand_and_no_other(second_round: Stage) -> None:
    bia = at(second_round, 1)
    assert "envy" not in sins(bia.get("/api/own?seat=1").json)
    assert sins(bia.get("/api/own?seat=1").json) == sins(bia.get("/api/state").json["game"])
    refused = bia.get("/api/own?seat=0")
    assert (refused.status_code, refused.json["error"]["code"]) == (403, "not_your_seat")


def test_who_acts_for_another_or_only_watches_sees_no_hand(second_round: Stage) -> None:
    ana = at(second_round, 0)
    assert ana.post("/api/acting", json=second_round.sent(seat=1)).status_code == 200
    assert ana.get("/api/own?seat=1").status_code == 403
    assert at(second_round, None).get("/api/own?seat=1").status_code == 403
    assert second_round.app.test_client().get("/api/own?seat=1").status_code == 403


@pytest.mark.parametrize("seat", ["", "?seat=7", "?seat=x"])
def test_there_is_no_such_seat(second_round: Stage, seat: str) -> None:
    refused = at(second_round, "all").get(f"/api/own{seat}")
    assert (refused.status_code, refused.json["error"]["field"]) == (400, "seat")


def test_a_game_without_secrets_has_nothing_of_its_own(closed_stage: Stage) -> None:
    closed_stage.open_game()
    assert at(closed_stage, 0).get("/api/own?seat=0").json["view"] == {}
