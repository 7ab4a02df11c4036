"""Rolls and records, out of a table's own journal."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.dice import Die
from engine.game import IllegalMove, InvalidInput, games
from engine.journal import Journal
from engine.records import records
from engine.table import Table

PEOPLE = {"players": [{"name": "Ana", "table": "practice"}, {"name": "Bia", "table": "practice"}]}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    clock = map("2026-11-30T07:00:00.{:06d}Z".format, itertools.count())
    with Journal(tmp_path / "journal.sqlite3", now=clock.__next__) as journal:
        one = Table(journal)
        one.open_game("carnavalesco", PEOPLE)
        yield one


def dice(shift: int = 0) -> list[dict[str, Any]]:
    colours = ["red", "yellow", "green", "blue", "white", "black"]
    return [{"colour": colours[at % 6], "value": (at + shift) % 6 + 1} for at in range(12)]


def roll(table: Table, shift: int = 0, source: str | None = None) -> int:
    return table.apply({"move": "roll", "dice": dice(shift)}, source=source).seq


def test_a_roll_tells_who_threw_it_and_how_it_came_in(table: Table) -> None:
    seq = roll(table, source="camera")
    (one,) = table.rolls()
    assert (one.seq, one.game_id, one.seat, one.source, one.undone) == (seq, table.game_id, 0, "camera", False)
    assert one.pictured
    assert [(die.colour, die.value) for die in one.dice] == [(die["colour"], die["value"]) for die in dice()]
    table.apply(next(iter(games()["carnavalesco"].legal_moves(table.state))))
    assert len(table.rolls()) == 1, "dice that are taken were not thrown again"


def test_a_corrected_die_counts_as_corrected(table: Table) -> None:
    table.correct(roll(table), 3, Die("blue", 6))
    assert table.rolls()[0].dice[3] == Die("blue", 6)


def test_an_undone_roll_was_thrown_and_the_same_dice_read_again_are_one_throw(table: Table) -> None:
    roll(table)
    table.undo()
    roll(table, shift=1)
    assert [(one.undone, one.again) for one in table.rolls()] == [(True, False), (False, False)]
    table.undo()
    roll(table, shift=1)
    assert [(one.undone, one.again) for one in table.rolls()] == [(True, False), (True, True), (False, False)]
    roll_again = table.rolls()[-1]
    assert Table(table.journal).rolls()[-1] == roll_again, "a table that starts again knows the same"


def test_rolls_of_deleted_games_do_not_count_until_they_are_restored(table: Table) -> None:
    roll(table)
    game_id = str(table.game_id)
    table.delete_game(game_id, abandon=True)
    assert table.rolls() == []
    table.restore_game(game_id)
    assert len(table.rolls()) == 1


def test_a_deleted_game_is_in_the_bin_until_it_is_restored_or_the_bin_is_emptied(table: Table) -> None:
    roll(table)
    game_id = str(table.game_id)
    with pytest.raises(IllegalMove, match="not finished"):
        table.delete_game(game_id)
    event = table.delete_game(game_id, abandon=True, client_id="one tap")
    assert table.delete_game(game_id, abandon=True, client_id="one tap") == event
    assert (table.games(), table.state, table.log()) == ([], None, [])
    assert [game["id"] for game in table.games(deleted=True)] == [game_id]
    for act in (table.reopen_game, table.delete_game, lambda one: table.write_notes(one, "x")):
        with pytest.raises(InvalidInput, match="in the bin"):
            act(game_id)
    with pytest.raises(InvalidInput, match="in the bin"):
        table.rematch(of=game_id)
    with pytest.raises(IllegalMove, match="No game was played"):
        table.rematch()
    again = Table(table.journal)
    assert again.games(deleted=True) == table.games(deleted=True)
    table.restore_game(game_id)
    assert [game["status"] for game in table.games()] == ["abandoned"]
    table.reopen_game(game_id)
    assert len(table.state.roll) == 12
    assert [entry["text"] for entry in table.log()][:3] == [
        "The game goes on.",
        "The game is taken out of the bin.",
        "The game is put into the bin.",
    ]
    table.delete_game(game_id, abandon=True)
    table.empty_bin()
    assert table.games() == table.games(deleted=True) == []
    with pytest.raises(InvalidInput, match="in the bin"):
        table.restore_game(game_id)
    with pytest.raises(IllegalMove, match="empty already"):
        table.empty_bin()
    assert Table(table.journal).games() == []
    assert len(list(table.journal.events(game_id))) > 4, "the journal forgets nothing"
    table.open_game("carnavalesco", PEOPLE)
    assert Table(table.journal).game_id == table.game_id


def test_notes_are_kept_with_the_game_and_so_are_earlier_ones(table: Table) -> None:
    game_id = str(table.game_id)
    table.write_notes(game_id, " Bia forgot the drums.\r\nTwice. ", by=1)
    table.write_notes(game_id, "")
    (game,) = Table(table.journal).games()
    assert [(note["text"], note["by"]) for note in game["notes"]] == [("Bia forgot the drums.\nTwice.", 1), ("", None)]
    assert table.log()[0]["text"] == "The notes on the game are changed."
    with pytest.raises(InvalidInput, match="4000 characters, and these have 4001"):
        table.write_notes(game_id, "x" * 4001)
    with pytest.raises(InvalidInput, match="no game"):
        table.write_notes("nonsense", "x")


def test_a_rematch_may_be_of_any_game(table: Table) -> None:
    first = str(table.game_id)
    table.open_game("roda_de_samba", games()["roda_de_samba"].sample_setup(3), abandon=True)
    event = table.rematch(of=first, abandon=True)
    assert (event.payload["key"], event.payload["players"]) == ("carnavalesco", ["Ana", "Bia"])


def test_scores_are_told_after_every_turn_that_counts(table: Table) -> None:
    from engine.play import folded

    game = games()["carnavalesco"]
    roll(table)
    table.apply(next(iter(game.legal_moves(table.state))))
    play = folded(table.journal.events(table.game_id))
    told = play.scores()
    assert [seq for seq, _ in told] == [None, *(turn.seq for turn in play.turns)]
    assert told[0][1] == told[1][1], "a roll adds nothing"
    assert told[-1][1] == tuple(player["total"] for player in game.scoreboard(table.state)["players"])


def listed(at: int, players: list[str], ranking: list[list[int]], totals: list[int], **more: Any) -> dict[str, Any]:
    result = {"ranking": ranking, "text": "", "detail": {"totals": totals}}
    return {"key": "carnavalesco", "players": players, "opened_at": f"2026-11-{at:02d}", "result": result, **more}


def test_records_count_wins_shared_wins_streaks_and_points() -> None:
    played = [
        listed(1, ["Ana", "Bia"], [[0], [1]], [80, 70]),
        listed(2, ["Bia", "Ana"], [[1], [0]], [60, 90]),
        listed(3, ["Ana", "Bia"], [[0, 1]], [75, 75]),
        listed(4, ["Ana", "Bia"], [[1], [0]], [50, 85], key="roda_de_samba"),
        listed(5, ["Ana"], [[0]], [101]),
        {**listed(6, ["Ana", "Bia"], [], []), "result": None},
    ]
    made = records(reversed(played))
    ana, bia = made.people["Ana"], made.people["Bia"]
    assert (ana.played, ana.wins, ana.shared, ana.streak, ana.longest, ana.last) == (4, 3, 1, 0, 3, "2026-11-04")
    assert (bia.played, bia.wins, bia.shared, bia.streak, bia.longest) == (4, 2, 1, 2, 2)
    of_game = made.games["carnavalesco"]["Ana"]
    assert (of_game.best(), of_game.best(highest=False), of_game.mean) == (90, 75, pytest.approx(245 / 3))
    alone = made.solo["carnavalesco"]["Ana"]
    assert (alone.played, alone.best()) == (1, 101)
    assert records([]).people == {}
