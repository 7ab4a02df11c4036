"""What the table did stands (facts S24: warn, never block): dice a sin does not take, and dice read differently."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.dice import Die, Shape
from engine.game import IllegalMove, InvalidInput, canonical_json
from engine.journal import Journal, read_events
from engine.replay import export_game, replay_document
from engine.table import Table
from tests.engine.carnival_of_sins.feast import GAME, ROLL, dice, playout, refused, reread, reveal, rolled, setup


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    journal = Journal(tmp_path / "journal.sqlite3", now=lambda: "2026-11-30T20:00:00+00:00")
    yield Table(journal)
    journal.close()


def roll(*values: int) -> dict[str, Any]:
    start = GAME.setup(setup())
    return dict(
        GAME.roll_move(start, dice(dict(zip(("d4", "d6", "d8", "d10", "d12", "d20", "white"), values, strict=True))))
    )


def shows(seat: int, sin: str, *taken: str, agreed: bool = False) -> dict[str, Any]:
    move: dict[str, Any] = {"move": "reveal", "seat": seat, "sin": sin, "dice": list(taken)}
    return move | ({"agreed": True} if agreed else {})


@pytest.mark.parametrize(
    ("sin", "taken"),
    [("greed", ("d4", "d8")), ("greed", ()), ("gluttony", ("d8",)), ("lust", ("d4", "d6")), ("sloth", ())],
)
def test_dice_that_the_sin_does_not_take_stand_when_the_table_agrees(sin: str, taken: tuple[str, ...]) -> None:
    state = rolled(GAME.setup(setup()))
    wrong = refused(state, shows(0, sin, *taken))
    assert (wrong.code, wrong.field) == ("against_the_sin", "dice")
    assert wrong.message.endswith("If the table sees it otherwise, say agreed.")
    move = shows(0, sin, *taken, agreed=True)
    after = GAME.apply(state, move)
    assert after.locked(0) == taken
    assert "The table lets it stand. By the rules: " in GAME.describe(state, move)
    assert GAME.view(after)["plays"][0]["agreed"] is True
    assert len(GAME.view(after)["notes"]) == 1
    assert GAME.load(GAME.dump(after)) == after
    done = reveal(reveal(after, "envy"), "wrath", "d20")
    done = reread(done, d20=1)
    assert "The table lets these dice stand" in done.marks()[0].whys[0]
    assert GAME.load(GAME.dump(done)) == done


def test_agreeing_to_what_the_sin_takes_changes_nothing() -> None:
    state = rolled(GAME.setup(setup()))
    assert GAME.apply(state, shows(0, "greed", "d4", "d6", agreed=True)) == reveal(state, "greed")


@pytest.mark.parametrize(
    ("sin", "taken", "code"),
    [
        ("greed", ("d8",), "against_the_sin"),
        ("greed", ("d4", "d10"), "die_locked"),
        ("gluttony", ("d10", "d12"), "against_the_sin"),
        ("gluttony", ("d4",), "die_locked"),
        ("envy", ("d8",), "against_the_sin"),
        ("pride", ("d8",), "against_the_sin"),
        ("lust", ("d4", "d6"), "against_the_sin"),
    ],
)
def test_a_die_lies_in_one_place_and_a_sin_holds_no_more_than_it_can(
    sin: str, taken: tuple[str, ...], code: str
) -> None:
    state = reveal(rolled(GAME.setup(setup())), "greed")
    wrong = refused(state, shows(1, sin, *taken, agreed=True))
    assert (wrong.code, wrong.field) == (code, "dice")
    assert "agreed" not in wrong.message


def test_agreed_is_true_or_false() -> None:
    state = rolled(GAME.setup(setup()))
    wrong = refused(state, {"move": "reveal", "seat": 0, "sin": "envy", "agreed": "yes"})
    assert (wrong.code, wrong.field) == ("bad_type", "agreed")


def test_the_devil_card_may_lie_with_another_by_the_tables_word() -> None:
    state = rolled(GAME.setup(setup()))
    assert refused(state, shows(1, "envy")).code == "not_your_turn"
    move = shows(1, "envy", agreed=True)
    after = GAME.apply(state, move)
    assert after.order == (1, 2, 0)
    note = "Bia has the Devil Card by the table's word; by the rules it is Ana's."
    assert GAME.view(after)["notes"] == [note]
    assert GAME.describe(state, move) == f"Bia reveals Envy. {note}"
    assert GAME.load(GAME.dump(after)) == after
    assert refused(after, shows(0, "greed", "d4", "d6", agreed=True)).code == "not_your_turn", (
        "only the first of a round"
    )


def test_a_die_read_differently_leaves_what_lies_on_the_sins_and_says_so(table: Table) -> None:
    table.open_game("carnival_of_sins", setup())
    first = table.apply(roll(*ROLL))
    for move in (shows(0, "greed", "d4", "d6"), {"move": "reveal", "seat": 1, "sin": "gluttony"}):
        table.apply(move)
    table.correct(first.seq, 1, Die("black", 2, Shape.D6))
    assert table.state.locked(0) == ("d4", "d6")
    assert GAME.view(table.state)["notes"] == ["Ana has dice that Greed does not take. The table lets them stand."]
    assert "The table lets it stand" in table.log()[2]["text"]
    table.correct(first.seq, 5, Die("black", 1, Shape.D20))
    assert table.state.locked(1) == ("d20",), "it was the d20 that Bia took, whatever the rules take now"
    table.correct(first.seq, 1, Die("black", 3, Shape.D6))
    table.correct(first.seq, 5, Die("black", 17, Shape.D20))
    assert GAME.view(table.state)["notes"] == [], "what fits again is no longer noted"


def test_a_correction_that_moves_the_devil_card_recomputes_and_leaves_the_next_round_as_it_was(table: Table) -> None:
    table.open_game("carnival_of_sins", setup())
    first = table.apply(roll(1, 6, 2, 3, 4, 5, 1))
    for move in (shows(0, "sloth", "d4"), shows(1, "sloth", "d6"), shows(2, "gluttony", "d20")):
        table.apply(move)
    assert table.state.devil == 0, "1 and the white die make 2, and no less is there"
    table.apply(roll(*ROLL))
    table.apply(shows(0, "greed", "d4", "d6"))
    table.correct(first.seq, 1, Die("black", 1, Shape.D6))
    assert table.state.marks()[0].devil == 1
    assert (table.state.devil, table.state.order) == (0, (0, 1, 2))
    assert GAME.view(table.state)["notes"] == ["Ana has the Devil Card by the table's word; by the rules it is Bia's."]
    again = Table(table.journal)
    assert again.state == table.state
    played = export_game(read_events(table.journal.path), str(table.game_id))
    assert canonical_json(replay_document(played)["state"]) == GAME.dump(table.state)


def test_a_correction_still_needs_a_die_of_the_game(table: Table) -> None:
    table.open_game("carnival_of_sins", setup())
    first = table.apply(roll(*ROLL))
    table.apply(shows(0, "greed", "d4", "d6"))
    with pytest.raises(InvalidInput) as caught:
        table.correct(first.seq, 0, Die("white", 3, Shape.D8))
    assert (caught.value.code, caught.value.field) == ("unknown_die", "dice[0].colour")
    with pytest.raises(IllegalMove) as other:
        table.correct(first.seq, 0, Die("black", 3, Shape.D8))
    assert (other.value.code, other.value.field) == ("wrong_dice", "dice")


def test_a_turn_that_others_stand_on_is_not_undone_alone(table: Table) -> None:
    table.open_game("carnival_of_sins", setup())
    table.apply(roll(*ROLL))
    taken = table.apply(shows(0, "greed", "d4", "d6"))
    table.apply(shows(1, "gluttony", "d20"))
    with pytest.raises(IllegalMove) as caught:
        table.undo(seq=taken.seq)
    assert (caught.value.code, caught.value.field) == ("later_move_illegal", "seat")


@pytest.mark.parametrize("seed", range(12))
def test_any_die_of_any_roll_can_be_read_differently_and_all_follows(table: Table, seed: int) -> None:
    start = setup(2 + seed % 4)
    table.open_game("carnival_of_sins", start)
    rolls = []
    owners: list[Any] = []
    for _, move in playout(start, seed):
        if not move:
            break
        event = table.apply(move)
        if move["move"] == "roll":
            rolls.append((event.seq, move))
        owners.append(table.state.owners)
    for seq, move in rolls[:: 1 + len(rolls) // 6]:
        for at, die in enumerate(move["dice"]):
            shape = Shape(die["shape"])
            value = die["value"] % shape.faces + 1
            table.correct(seq, at, Die(die["colour"], value, shape))
    assert [turn.after.owners for turn in table._play.turns] == owners  # type: ignore[union-attr]
    assert GAME.load(GAME.dump(table.state)) == table.state
    played = export_game(read_events(table.journal.path), str(table.game_id))
    assert canonical_json(replay_document(played)["state"]) == GAME.dump(table.state)
