"""What holds for every game that is registered, whatever is played: games are found, so new ones are covered."""

from __future__ import annotations

import contextlib
import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.dice import Die, Shape
from engine.game import Game, GameError, InvalidInput, Move, canonical_json, games
from engine.journal import Journal, read_events
from engine.replay import export_game, replay_document
from engine.selfplay import next_move, sample_game
from engine.table import Table
from tests.engine.carnavalesco.parade import GAME, document

KEYS = sorted(games())
SEEDS = st.integers(0, 10_000)
slow = settings(max_examples=5, suppress_health_check=list(HealthCheck))


def walk(game: Game[Any], seed: int, steps: int = 400) -> Iterator[tuple[Any, Move]]:
    """Yield states of a random game, each with the move that was made in it; house rules and seats by chance too."""
    chance = random.Random(seed)
    state = game.setup(sample_game(game, chance))
    for _ in range(steps):
        if game.outcome(state) is not None or (move := next_move(game, state, chance)) is None:
            return
        yield state, move
        state = game.apply(state, move)


def plain(move: Move) -> Any:
    """Return the move as it comes back from the journal."""
    return json.loads(canonical_json(move))


@pytest.mark.parametrize("key", KEYS)
@slow
@given(seed=SEEDS)
def test_a_state_read_from_text_goes_on_to_the_same_states(key: str, seed: int) -> None:
    game = games()[key]
    read = None
    for state, move in walk(game, seed):
        if read is not None:
            assert game.dump(read) == game.dump(state)
        read = game.apply(game.load(game.dump(state)), plain(move))


@pytest.mark.parametrize("key", KEYS)
@slow
@given(seed=SEEDS)
def test_every_state_is_told_and_every_actor_has_a_seat(key: str, seed: int) -> None:
    game = games()[key]
    for state, move in walk(game, seed):
        before = game.dump(state)
        seats = range(len(game.seats(state)))
        prompt = game.prompt(state)
        assert prompt.text
        assert prompt.action in ("roll", "finished", *game.moves)
        assert prompt.seat is None or prompt.seat in seats
        actor = game.actor(state, move)
        assert actor is None or actor in seats
        assert game.describe(state, move).strip().endswith((".", "!"))
        for shown in (prompt.as_json(), game.view(state), game.scoreboard(state)):
            assert json.loads(canonical_json(shown)) is not None
        assert [player["name"] for player in game.scoreboard(state)["players"]] == list(game.seats(state))
        assert game.dump(state) == before


@pytest.mark.parametrize("key", KEYS)
@slow
@given(seed=SEEDS)
def test_the_dice_that_are_waited_for_make_a_legal_roll(key: str, seed: int) -> None:
    game, chance = games()[key], random.Random(seed)
    for state, _ in walk(game, seed, 60):
        expects = game.expects(state)
        if expects is None:
            continue
        dice = game.sample_roll(state, chance.randrange)
        shapes = [die.shape for die in dice]
        assert {shape: shapes.count(shape) for shape in expects.shapes} == {**expects.shapes}
        assert len(dice) == expects.count
        move = game.roll_move(state, dice)
        assert move["move"] in game.moves
        after = game.apply(state, plain(move))
        assert game.dump(after) != game.dump(state)
        with pytest.raises(GameError):
            game.apply(state, plain(game.roll_move(state, [*dice, Die("red", 1, Shape.D6)])))


@pytest.mark.parametrize("key", KEYS)
@slow
@given(seed=SEEDS)
def test_a_move_against_the_rules_names_the_rule_and_changes_nothing(key: str, seed: int) -> None:
    game, chance = games()[key], random.Random(seed)
    steps = list(walk(game, seed, 80))
    others = [move for _, move in steps]
    for state, move in steps[:: max(1, len(steps) // 12)]:
        before = game.dump(state)
        for wrong in (chance.choice(others), {**move, "seat": 7}, {**move, "no such field": 1}, {"move": "dance"}, {}):
            with contextlib.suppress(GameError):  # some of these are legal; any other error is a fault
                game.apply(state, plain(wrong))
            assert game.dump(state) == before
        for nonsense in ({"move": "dance"}, {}):
            with pytest.raises(InvalidInput) as error:
                game.apply(state, nonsense)
            assert error.value.code
            assert error.value.message.endswith(".")


@pytest.mark.parametrize("key", KEYS)
@slow
@given(seed=SEEDS, count=st.integers(1, 9))
def test_undone_moves_made_again_lead_to_the_same_state(
    key: str, seed: int, count: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    game, chance = games()[key], random.Random(seed)
    setup = sample_game(game, chance)
    clock = map("2026-11-30T07:{:04d}Z".format, itertools.count())
    path: Path = tmp_path_factory.mktemp("table") / "journal.sqlite3"
    with Journal(path, now=clock.__next__) as journal:
        table = Table(journal)
        table.open_game(key, setup)
        moves: list[Move] = []
        while table.outcome is None and len(moves) < 30:
            move = next_move(game, table.state, chance)
            if move is None:
                break
            table.apply(move)
            moves.append(plain(move))
        ended = game.dump(table.state)
        count = min(count, len(moves))
        table.undo(count)
        for move in moves[-count:]:
            table.apply(move)
        assert game.dump(table.state) == ended
        assert game.dump(Table(journal).state) == ended
        exported = export_game(read_events(path), table.game_id or "")
        assert canonical_json(replay_document(exported)["state"]) == canonical_json(json.loads(ended))


@slow
@given(seed=SEEDS)
def test_marks_never_depend_on_the_order_of_the_dice_in_an_element(seed: int) -> None:
    chance = random.Random(seed)
    faces = [f"{letter}{value}" for letter in "RYGBWK" for value in range(1, 7)]
    few = chance.sample(faces, 9)
    elements = {
        element: [chance.choice(few) for _ in range(4)]
        for element in document({"name": "Ana"})["players"][0]["elements"]
    }
    mixed = {element: chance.sample(dice, 4) for element, dice in elements.items()}
    one, other = (
        GAME.score(document({"name": "Ana", "elements": {element: "".join(dice) for element, dice in board.items()}}))
        for board in (elements, mixed)
    )
    for result in (one, other):
        for mark in result["players"][0]["elements"].values():
            del mark["why"]  # names the dice as they lie
    assert one == other
