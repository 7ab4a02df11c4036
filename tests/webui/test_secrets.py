"""Carnival of Sins: no answer tells a phone which sins others have played before or still have (facts S22).

A real server; every kind of phone asks everything that can be asked after every move of a game.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

from engine.carnival_of_sins.sins import SINS
from tests.engine.carnival_of_sins.feast import GAME, playout, setup
from tests.webui.stage import CODE, Served, Stage
from tests.webui.test_live import Stream

SIN_WORDS = ("greed", "gluttony", "envy", "envious", "lust", "pride", "proud", "sloth", "wrath", "throw", "robbed")
SEED = 8
"""A game whose first rounds have every kind of turn: throws, several proud players, robbed dice."""


class Phone:
    """One phone with its cookies, at a real server."""

    def __init__(self, server: Served, seat: int | str | None = None, *, joins: bool = True, acting: int | None = None):
        self.url = server.url
        self.stage = server.stage
        self.jar = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.seat = seat if isinstance(seat, int) else None
        if joins:
            assert self.post("/api/join", code=CODE, seat=seat)[0] == 200
        if acting is not None:
            assert self.post("/api/acting", seat=acting)[0] == 200

    def ask(self, path: str, body: Any = None) -> tuple[int, str]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"})
        try:
            with self._opener.open(request, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def get(self, path: str) -> Any:
        return json.loads(self.ask(path)[1])

    def post(self, path: str, **body: Any) -> tuple[int, Any]:
        status, text = self.ask(path, self.stage.sent(**body))
        return status, json.loads(text)

    def stream(self) -> Any:
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)
        stream = Stream(self.url, f"phone-{id(self)}", cookies)
        try:
            return stream.state()
        finally:
            stream.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    stage = Stage(tmp_path, trust_loopback=False)
    one = Served(stage)
    yield one
    one.close()
    stage.close()


def phones(server: Served) -> dict[str, Phone]:
    return {
        "Ana": Phone(server, 0),
        "Bia": Phone(server, 1),
        "Caio for Ana": Phone(server, 2, acting=0),
        "shared": Phone(server, "all"),
        "watcher": Phone(server, None),
        "guest": Phone(server, joins=False),
    }


def words_in(value: Any) -> set[str]:
    """Return which words of sins stand in a JSON value, rules of the house left out."""
    text = json.dumps(value).casefold()
    return {word for word in SIN_WORDS if word in text}


def cleaned(state: dict[str, Any]) -> dict[str, Any]:
    """Return a state without what tells of the table as it lies now: this round's plays, the prompt, the rules."""
    now = json.loads(json.dumps(state))
    game = now["game"]
    for key in ("house_rules", "phase", "plays", "choices", "notes"):
        game["view"].pop(key)
    for key in ("prompt", "expects", "rules"):
        game.pop(key)
    return dict(now)


def this_round(log: list[dict[str, Any]]) -> int:
    """Return how many lines, newest first, are of this round."""
    whole = (at for at, line in enumerate(log) if line["move"] and len(line["move"].get("dice", ())) == 7)
    return next(whole, len(log))


def looks(phone: Phone, table: Any) -> None:
    """Hold everything that a phone can ask for against what it may know."""
    state = table.state
    turn, round_open = state.turn, bool(state.values)
    hand = set(SINS) if turn is None else set(state.hand(turn))
    own = phone.seat is not None and phone.seat == turn
    shown = phone.get("/api/state")
    whole_log = phone.get("/api/log")["log"]
    for seen in (shown, phone.stream()):
        offered = {one["sin"] for one in seen["game"]["view"]["choices"]}
        assert offered == (hand if own else set(SINS)) if state.phase == "reveal" else not offered
        assert [player["played"] for player in seen["game"]["view"]["players"]] == [None] * state.setup.seats
        assert seen["log"] == whole_log[: len(seen["log"])]
        if round_open:
            rest = cleaned(seen)
            rest["log"] = rest["log"][this_round(rest["log"]) :]
            assert not words_in(rest)
            assert all(row["sins"] is None for row in rest["game"]["view"]["sheet"])
        elif state.rounds:
            assert all(row["sins"] is None for row in seen["game"]["view"]["sheet"][:-1])
            assert not words_in([row["why"] for row in seen["game"]["view"]["sheet"][:-1]])
    earlier = whole_log[this_round(whole_log) :] if round_open else []
    assert not words_in(earlier)
    for line in earlier:
        assert line["move"] is None or line["move"]["move"] == "roll"
        assert line["move"] is None or len(line["move"]["dice"]) == 7
    if state.phase == "reveal":
        moves = phone.get("/api/moves")
        sins = phone.get("/api/moves?move=%22reveal%22")["fields"]
        listed = {json.loads(one["key"]) for field in sins if field["name"] == "sin" for one in field["values"]}
        assert listed == (hand if own else set(SINS)) or len(hand) == 1
        assert moves["count"] == sum(group["count"] for group in moves["groups"])


def test_no_phone_is_told_what_others_played_or_hold(server: Served) -> None:
    table = server.stage.table
    table.open_game("carnival_of_sins", setup(3))
    there = phones(server)
    for at, (_, move) in enumerate(playout(setup(3), SEED)):
        if len(table.state.rounds) == 3 and table.state.plays:
            break
        for number, phone in enumerate(there.values()):
            if at % 3 == number % 3:
                looks(phone, table)
        table.apply(move)
    assert {play.sin for this in table.state.rounds for play in this.lines} >= {"wrath", "pride", "envy", "lust"}


def test_a_hand_is_told_to_its_own_phone_and_to_the_one_that_all_share(server: Served) -> None:
    table = server.stage.table
    table.open_game("carnival_of_sins", setup(3))
    for _, move in playout(setup(3), SEED):
        if len(table.state.rounds) == 2 and table.state.phase == "reveal":
            break
        table.apply(move)
    turn = table.state.turn
    hand = set(table.state.hand(turn))
    for name, phone in phones(server).items():
        status, text = phone.ask(f"/api/own?seat={turn}")
        assert (status == 200) == (name == "shared" or phone.seat == turn), name
        if status == 200:
            assert {one["sin"] for one in json.loads(text)["view"]["choices"]} == hand


def questions(server: Served) -> list[str]:
    """Return every address that can be asked for without naming anything, but the stream that never ends."""
    rules = server.stage.app.url_map.iter_rules()
    plain = {rule.rule for rule in rules if "GET" in (rule.methods or ()) and not rule.arguments}
    return sorted(plain - {"/api/live", "/"})


def test_no_address_tells_what_was_played(server: Served) -> None:
    table = server.stage.table
    table.open_game("carnival_of_sins", setup(3))
    for _, move in playout(setup(3), SEED):
        if len(table.state.rounds) == 2 and table.state.values:
            break
        table.apply(move)
    secrets = [line["text"] for line in table.log() if words_in(line["text"])]
    assert len(secrets) > 6
    for phone in phones(server).values():
        for path in ("/?watch", f"/history/{table.game_id}", *questions(server)):
            status, text = phone.ask(path)
            assert status < 500, path
            assert not [one for one in secrets if one in text], path


def test_undo_and_correction_tell_nothing_of_earlier_rounds(server: Served) -> None:
    table = server.stage.table
    table.open_game("carnival_of_sins", setup(3))
    for _, move in playout(setup(3), SEED):
        table.apply(move)
        if len(table.state.rounds) == 3 and table.state.plays:
            break
    phone = Phone(server, "all")
    log = phone.get("/api/log")["log"]
    earlier = [line for line in log[this_round(log) :] if line["kind"] == "move"]
    secrets = [line["text"] for line in table.log() if words_in(line["text"])][len(table.state.plays) :]
    assert secrets
    codes = set()
    for line in earlier:
        die = {"colour": "black", "value": 1, "shape": "d4"}
        for path, body in (
            ("/api/undo", {"seq": line["seq"]}),
            ("/api/correct", {"seq": line["seq"], "die": 0, "to": die}),
        ):
            status, answer = phone.post(path, **body)
            assert (status == 403) == (line["move"] is None)
            assert not any(secret in json.dumps(answer, ensure_ascii=False) for secret in secrets)
            codes.add(answer.get("error", {}).get("code"))
    assert codes >= {"hidden_turn", "later_move_illegal"}


def test_a_line_about_an_earlier_turn_tells_no_more_than_the_turn(server: Served) -> None:
    table = server.stage.table
    table.open_game("carnival_of_sins", setup(2))
    for _, move in playout(setup(2), 17):
        table.apply(move)
        if len(table.state.rounds) == 2:
            break
    table.undo(2)
    for _, move in list(playout(setup(2), 17))[len(table._play.turns) :]:
        table.apply(move)
        if len(table.state.rounds) == 2 and table.state.values:
            break
    log = Phone(server, "all").get("/api/log")["log"]
    (undo,) = [line for line in log if line["kind"] == "undo"]
    assert undo["text"] == "A turn of an earlier round was changed."
    assert len(undo["turns"]) == 2


def test_a_phone_finds_no_seat_s_hand_by_taking_another_seats_turn(server: Served) -> None:
    table = server.stage.table
    table.open_game("carnival_of_sins", setup(2))
    for _, move in playout(setup(2), 17):
        if len(table.state.rounds) == 2 and table.state.phase == "reveal":
            break
        table.apply(move)
    turn = table.state.turn
    other = Phone(server, 1 - turn, acting=turn)
    own = Phone(server, turn)
    assert len(other.get("/api/state")["game"]["view"]["choices"]) == 7
    assert {one["sin"] for one in own.get("/api/state")["game"]["view"]["choices"]} == set(table.state.hand(turn))
    assert other.post("/api/acting", seat=None)[0] == 200


def test_the_switch_shows_everything_to_everybody(server: Served) -> None:
    table = server.stage.table
    start = setup(3, house_rules={"memory.aid": "on"})
    table.open_game("carnival_of_sins", start)
    for _, move in playout(start, SEED):
        if len(table.state.rounds) == 3 and table.state.phase == "reveal":
            break
        table.apply(move)
    for phone in phones(server).values():
        view = phone.get("/api/state")["game"]["view"]
        assert {one["sin"] for one in view["choices"]} == set(table.state.hand(table.state.turn))
        assert [player["played"] for player in view["players"]] == [list(table.state.played(seat)) for seat in range(3)]
        assert words_in(phone.get("/api/log"))


def test_a_finished_game_tells_everything(server: Served) -> None:
    table = server.stage.table
    table.open_game("carnival_of_sins", setup(2))
    for _, move in playout(setup(2), 17):
        if move:
            table.apply(move)
    phone = Phone(server, joins=False)
    assert all(row["sins"] for row in phone.get("/api/state")["game"]["view"]["sheet"])
    assert (
        len({line["move"]["sin"] for line in phone.get("/api/log")["log"] if line["move"] and "sin" in line["move"]})
        == 7
    )
    assert GAME.outcome(table.state) is not None
