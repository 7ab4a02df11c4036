"""A table on a real journal: confirm, undo, correct, stale versions, repeated requests; and a naive fold beside it."""

from __future__ import annotations

import itertools
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dice import Die
from engine.game import GameError, IllegalMove, InvalidInput, canonical_json
from engine.journal import Journal, JournalFull
from engine.table import StaleVersion, Table
from tests.engine.tally import Tally, bank, roll

HERE = Path(__file__).resolve().parent
SETUP = {"players": [{"name": "Ana"}, {"name": "Bia"}], "goal": 1000}


def opened(folder: Path) -> Journal:
    return Journal(folder / "journal.sqlite3", now=map("2026-11-29T20:{:04d}Z".format, itertools.count()).__next__)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with opened(tmp_path) as journal:
        yield journal


@pytest.fixture
def table(journal: Journal) -> Table:
    table = Table(journal)
    table.open_game("tally", SETUP)
    return table


def texts(table: Table) -> list[str]:
    return [line["text"] for line in reversed(table.log())]


def whole(table: Table) -> Any:
    """All that a table shows, to compare two of them."""
    state = None if table.game is None else table.game.dump(table.state)
    owned = table.strips, table.colours, table.tints, table.decks
    return table.version, state, table.log(), table.games(), table.names, owned


def again(table: Table) -> Any:
    return whole(Table(table.journal))


def test_a_table_without_a_game_says_so(journal: Journal) -> None:
    table = Table(journal)
    assert (table.version, table.game_id, table.game, table.state, table.outcome) == (0, None, None, None, None)
    assert table.log() == [] == table.games()
    for act in (lambda: table.apply(roll(1, 2)), table.undo, table.close_game, table.rematch):
        with pytest.raises(IllegalMove, match="Open one first"):
            act()


def test_a_confirmed_move_changes_the_state_and_the_version(table: Table) -> None:
    event = table.apply(roll(3, 5), by=0)
    assert table.state.rolled == 8
    assert table.version == event.seq == 2
    assert event.game_id == table.game_id
    assert event.payload == {"move": roll(3, 5), "by": 0, "seat": 0}, "who was to throw is kept"
    assert table.log(1) == [
        {
            "seq": 2,
            "at": event.at,
            "by": 0,
            "kind": "move",
            "text": "Ana rolls 3 and 5.",
            "move": roll(3, 5),
            "undone": False,
            "corrected": False,
        }
    ]


def test_the_table_is_the_same_after_opening_it_again(table: Table) -> None:
    for move in (roll(3, 5), bank(8), roll(1, 1)):
        table.apply(move, by="panel")
    table.undo()
    table.correct(2, 0, Die("red", 6))
    table.save_strip("D", {"4": 2})
    assert again(table) == whole(table)


def test_an_illegal_move_changes_nothing(table: Table) -> None:
    before = whole(table)
    with pytest.raises(IllegalMove, match="Only 0 points"):
        table.apply(bank(3))
    with pytest.raises(InvalidInput, match="must be a JSON object"):
        table.apply("roll")  # type: ignore[arg-type]
    assert whole(table) == before == again(table)


def test_a_move_on_an_old_version_is_refused(table: Table) -> None:
    version = table.version
    table.apply(roll(1, 2), version=version)
    with pytest.raises(StaleVersion, match="moved on") as refused:
        table.apply(bank(3), version=version)
    assert refused.value.code == "stale_version"
    assert table.state.rolled == 3
    with pytest.raises(InvalidInput):
        table.apply(bank(3), version="2")  # type: ignore[arg-type]


def test_the_same_client_id_is_applied_once_and_answers_alike(table: Table) -> None:
    version = table.version
    first = table.apply(roll(1, 2), version=version, client_id="phone-1")
    assert table.apply(roll(1, 2), version=version, client_id="phone-1") == first
    assert Table(table.journal).apply(roll(1, 2), version=version, client_id="phone-1") == first
    undo = table.undo(version=table.version, client_id="phone-2")
    assert table.undo(client_id="phone-2") == undo
    assert table.version == undo.seq


def test_a_client_id_used_for_something_else_is_refused(table: Table) -> None:
    table.apply(roll(1, 2), client_id="phone-1")
    with pytest.raises(IllegalMove, match="used for something else"):
        table.apply(bank(1), client_id="phone-1")
    with pytest.raises(IllegalMove, match="used for something else"):
        table.undo(client_id="phone-1")
    for wrong in ("", "x" * 101, 7, "a\nb"):
        with pytest.raises(InvalidInput, match="1 to 100"):
            table.apply(bank(1), client_id=wrong)  # type: ignore[arg-type]


def test_a_refused_request_may_come_again_under_its_id(table: Table) -> None:
    with pytest.raises(IllegalMove):
        table.apply(bank(1), client_id="phone-1")
    table.apply(roll(1, 2))
    assert table.apply(bank(1), client_id="phone-1").payload["move"] == bank(1)


def test_eight_threads_with_one_client_id_make_one_event(table: Table) -> None:
    start = threading.Barrier(8)
    events = []

    def post() -> None:
        start.wait()
        events.append(table.apply(roll(2, 2), client_id="same"))

    threads = [threading.Thread(target=post) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(events) == 8
    assert len({event.id for event in events}) == 1
    assert table.version == 2


def test_of_eight_threads_on_one_version_one_gets_through(table: Table) -> None:
    start = threading.Barrier(8)
    answers: list[str] = []
    version = table.version

    def post(number: int) -> None:
        start.wait()
        try:
            table.apply(roll(2, 2), version=version, client_id=f"phone-{number}")
            answers.append("done")
        except StaleVersion:
            answers.append("stale")

    threads = [threading.Thread(target=post, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == ["done"] + ["stale"] * 7


def test_undo_takes_back_any_number_of_turns_and_the_log_shows_it(table: Table) -> None:
    first = table.state
    for move in (roll(3, 5), bank(8), roll(1, 1)):
        table.apply(move)
    table.undo(2, by=1)
    assert table.state.rolled == 8
    assert texts(table) == [
        "Tally begins: Ana, Bia.",
        "Ana rolls 3 and 5.",
        "Ana banks 8 of 8.",
        "Bia rolls 1 and 1.",
        "Undone: Ana banks 8 of 8. Bia rolls 1 and 1.",
    ]
    assert [line["undone"] for line in reversed(table.log())] == [False, False, True, True, False]
    table.undo()
    assert table.state == first
    with pytest.raises(IllegalMove, match="none can"):
        table.undo()
    for wrong in (0, -1, True, "2", 1.0):
        with pytest.raises(InvalidInput, match="1 or more"):
            table.undo(wrong)  # type: ignore[arg-type]


def test_one_turn_can_be_undone_with_those_after_it_played_again(table: Table) -> None:
    for move in (roll(3, 5), bank(8), roll(1, 1), bank(2)):
        table.apply(move)
    with pytest.raises(IllegalMove, match=r"It is move 4, “Bia rolls 1 and 1\.”: The dice are rolled already\."):
        table.undo(seq=3)
    table.undo(seq=5)
    assert table.state.rolled == 2
    with pytest.raises(IllegalMove, match="undone already"):
        table.undo(seq=5)
    with pytest.raises(InvalidInput, match="no move 99"):
        table.undo(seq=99)


def test_a_correction_recomputes_all_that_follows_and_the_log_says_it(table: Table) -> None:
    for move in (roll(3, 5), bank(6), roll(1, 1)):
        table.apply(move)
    table.correct(2, 1, Die("blue", 3), by="host")
    assert table.state.scores == (6, 0)
    assert texts(table)[1:] == [
        "Ana rolls 3 and 3.",
        "Ana banks 6 of 6.",
        "Bia rolls 1 and 1.",
        "Ana's roll 1: die 2 was blue 5, now blue 3.",
    ]
    assert [line["corrected"] for line in reversed(table.log())] == [False, True, False, False, False]
    assert table.log(1)[0]["by"] == "host"


def test_a_correction_that_makes_a_later_move_illegal_names_it_and_changes_nothing(table: Table) -> None:
    for move in (roll(3, 5), bank(8)):
        table.apply(move)
    before = whole(table)
    with pytest.raises(IllegalMove, match=r"It is move 3, “Ana banks 8 of 8\.”: Only 4 points were rolled\."):
        table.correct(2, 1, Die("blue", 1))
    assert whole(table) == before == again(table)


def test_a_correction_of_what_is_no_die_is_refused(table: Table) -> None:
    table.apply(roll(3, 5))
    table.apply(bank(8))
    before = whole(table)
    with pytest.raises(IllegalMove, match="already is red 3"):
        table.correct(2, 0, Die("red", 3))
    for seq, die in ((2, 2), (3, 0), (1, 0), (99, 0)):
        with pytest.raises(InvalidInput):
            table.correct(seq, die, Die("red", 4))
    table.undo(2)
    with pytest.raises(IllegalMove, match="undone"):
        table.correct(2, 0, Die("red", 4))
    assert before[0] == 3


def test_subscribers_hear_of_a_change_after_it_is_on_the_disk(table: Table, tmp_path: Path) -> None:
    seen = []
    end = table.subscribe(lambda: seen.append((table.version, len(list(table.journal.events())))))
    table.subscribe(lambda: 1 / 0)
    table.apply(roll(1, 2))
    with pytest.raises(IllegalMove):
        table.apply(roll(1, 2))
    end()
    table.undo()
    assert seen == [(2, 2)]


def test_a_full_disk_leaves_the_game_as_it_was(table: Table) -> None:
    database = table.journal._db
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute(f"PRAGMA max_page_count = {pages}")
    before = whole(table)
    told = []
    table.subscribe(lambda: told.append(1))
    wide = {**roll(3, 4), "remark": "x" * 50_000}
    with pytest.raises(JournalFull, match="The game stays as it was"):
        table.apply(wide, client_id="phone-1")
    assert whole(table) == before
    assert told == []
    database.execute("PRAGMA max_page_count = 100000")
    table.apply(wide, client_id="phone-1")
    assert table.state.rolled == 7


def finish(table: Table) -> None:
    for move in (roll(6, 6), bank(12), roll(1, 1), bank(2), roll(6, 6), bank(8)):
        table.apply(move)


def test_a_finished_game_is_backed_up_listed_and_gives_way_to_the_next(journal: Journal, tmp_path: Path) -> None:
    table = Table(journal)
    table.open_game("tally", {**SETUP, "goal": 20})
    with pytest.raises(IllegalMove, match="not finished"):
        table.open_game("tally", SETUP)
    finish(table)
    assert table.outcome.text == "Ana wins."
    assert len(list((tmp_path / "backups").iterdir())) == 1
    assert table.games()[0]["result"]["text"] == "Ana wins."
    table.undo()
    assert table.outcome is None
    table.apply(bank(12))
    table.open_game("tally", SETUP)
    newest, oldest = table.games()
    assert (newest["status"], oldest["status"]) == ("open", "finished")
    assert oldest["result"]["ranking"] == [[0]]
    assert oldest["players"] == ["Ana", "Bia"]
    assert again(table) == whole(table)


def test_an_abandoned_game_is_kept_listed_and_can_go_on(table: Table) -> None:
    table.apply(roll(3, 4))
    game_id = table.game_id
    with pytest.raises(IllegalMove, match="not finished"):
        table.close_game()
    table.close_game(abandon=True, by="host")
    assert table.state is None
    assert table.games()[0]["status"] == "abandoned"
    table.reopen_game(game_id)
    assert table.state.rolled == 7
    with pytest.raises(IllegalMove, match="open already"):
        table.reopen_game(game_id)
    with pytest.raises(InvalidInput, match="no game"):
        table.reopen_game("nonsense")
    assert again(table) == whole(table)


def test_another_game_may_take_the_place_of_one_that_is_given_up(table: Table) -> None:
    table.apply(roll(3, 4))
    first = table.game_id
    with pytest.raises(InvalidInput, match="needs players"):
        table.open_game("tally", {}, abandon=True)
    assert table.game_id == first
    table.rematch(abandon=True)
    assert [game["status"] for game in table.games()] == ["open", "abandoned"]
    table.reopen_game(first, abandon=True)
    assert [game["status"] for game in table.games()] == ["abandoned", "open"]
    assert table.state.rolled == 7
    assert again(table) == whole(table)


def test_a_rematch_seats_the_same_people(journal: Journal) -> None:
    table = Table(journal)
    table.open_game("tally", {**SETUP, "goal": 20})
    finish(table)
    event = table.rematch({"goal": 30}, client_id="phone-1")
    assert table.rematch({"goal": 30}, client_id="phone-1") == event
    assert table.state.players == ("Ana", "Bia")
    assert table.state.goal == 30
    assert len(table.games()) == 2
    assert table.names == ["Ana", "Bia"]


def test_a_bad_setup_opens_nothing(journal: Journal) -> None:
    table = Table(journal)
    with pytest.raises(InvalidInput, match="needs players"):
        table.open_game("tally", {})
    with pytest.raises(InvalidInput, match="There is no game 'chess'"):
        table.open_game("chess", {})
    with pytest.raises(InvalidInput, match="JSON object"):
        table.open_game("tally", [])  # type: ignore[arg-type]
    assert table.version == 0


def test_the_table_keeps_strips_and_colours(table: Table) -> None:
    table.save_strip("D", {str(total): 6 for total in range(4, 25)}, by="host")
    table.save_colours(["red", "blue", "green", "yellow", "white", "glitter"], {"glitter": "#aa00ff"})
    assert texts(table)[1:] == [
        "The strip of division D is copied.",
        "The colours are red, blue, green, yellow, white, glitter.",
    ]
    assert again(table) == whole(table)
    later = Table(table.journal)
    assert later.strips["D"]["17"] == 6
    assert later.tints == {"glitter": "#aa00ff"}
    for tints in ({"pink": "#aa00ff"}, {"red": "red"}, {"red": 7}):
        with pytest.raises(InvalidInput, match="rrggbb"):
            table.save_colours(later.colours, tints)
    for wrong in ({"4": 11}, {"4": -1}, {"4": "6"}, {"4": True}):
        with pytest.raises(InvalidInput, match="0 to 10"):
            table.save_strip("D", wrong)
    with pytest.raises(InvalidInput, match="division"):
        table.save_strip("", {})
    for colours in (["red"] * 6, ["red"], ["Red", "blue", "green", "yellow", "white", "pink"]):
        with pytest.raises(InvalidInput):
            table.save_colours(colours)


def test_the_table_keeps_a_deck_for_each_game(table: Table) -> None:
    first, second = {"cards": [{"name": "cuíca"}]}, {"cards": []}
    table.save_deck("tally", first, by=0, client_id="a")
    kept = table.save_deck("tally", second, client_id="b")
    assert table.save_deck("tally", second, client_id="b") == kept, "the same request is done once"
    assert table.decks == {"tally": second}
    assert texts(table)[1:] == ["The table's list of cards is changed."] * 2
    assert again(table) == whole(table)
    with pytest.raises(InvalidInput, match="There is no game 'chess'"):
        table.save_deck("chess", first)
    with pytest.raises(InvalidInput, match="JSON object"):
        table.save_deck("tally", [])  # type: ignore[arg-type]


def test_a_game_of_other_rules_is_set_aside_and_said(table: Table) -> None:
    table.journal.append("move", {"move": bank(5), "by": None}, game_id=table.game_id)
    later = Table(table.journal)
    assert later.game is None
    assert "cannot go on under these rules" in later.notice
    assert later.games()[0]["status"] == "set aside"
    later.open_game("tally", SETUP)


def test_a_state_goes_through_text_and_back(table: Table) -> None:
    for move in (roll(3, 5), bank(8), roll(1, 1)):
        table.apply(move)
        text = table.game.dump(table.state)
        assert table.game.load(text) == table.state
        assert table.game.dump(table.game.load(text)) == text


PLAYER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tests.engine.tally import bank, roll
from engine.journal import Journal
from engine.table import Table
table = Table(Journal(Path(sys.argv[1]) / "journal.sqlite3", now=lambda: "now"))
table.open_game("tally", {"players": [{"name": "Ana"}, {"name": "Bia"}]})
table.apply(roll(3, 5), client_id="before")
print("between two moves", flush=True)
sys.stdin.read()
"""


def test_a_game_is_there_after_kill_9_between_two_moves(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PLAYER, str(tmp_path), str(HERE)],
        cwd=HERE.parents[1],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as player:
        assert player.stdout.readline() == "between two moves\n"
        player.send_signal(signal.SIGKILL)
        player.wait()
    with opened(tmp_path) as journal:
        table = Table(journal)
        assert table.state.rolled == 8
        table.apply(roll(3, 5), client_id="before")
        table.apply(bank(8))
        assert table.state.scores == (8, 0)


class Naive:
    """The plainest table there can be: a list of moves, played from the first one each time."""

    game = Tally()

    def __init__(self) -> None:
        self.moves: list[tuple[int, dict[str, Any]]] = []

    def state(self, moves: list[tuple[int, dict[str, Any]]]) -> Any:
        state = self.game.setup({"players": SETUP["players"], "goal": 60})
        for _, move in moves:
            state = self.game.apply(state, move)
        return state

    def attempt(self, moves: list[tuple[int, dict[str, Any]]]) -> bool:
        try:
            self.state(moves)
        except GameError:
            return False
        self.moves = moves
        return True


values = st.integers(1, 6)
acts = st.one_of(
    st.builds(lambda a, b: ("move", roll(a, b)), values, values),
    st.builds(lambda points: ("move", bank(points)), st.integers(1, 12)),
    st.builds(lambda count: ("undo", count), st.integers(1, 4)),
    st.builds(lambda place: ("undo one", place), st.integers(0, 6)),
    st.builds(lambda place, die, value: ("correct", (place, die, value)), st.integers(0, 6), st.integers(0, 1), values),
    st.just(("reopen", None)),
)


@settings(max_examples=60)
@given(st.lists(acts, max_size=40))
def test_any_sequence_of_acts_folds_to_what_playing_from_scratch_gives(
    tmp_path_factory: pytest.TempPathFactory, sequence: list[tuple[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("table")
    journal = opened(folder)
    table, naive = Table(journal), Naive()
    table.open_game("tally", {**SETUP, "goal": 60})
    for act, what in sequence:
        moves = naive.moves
        before = whole(table)
        try:
            if act == "move":
                allowed = naive.attempt([*moves, (table.version + 1, what)])
                table.apply(what)
            elif act == "undo":
                allowed = len(moves) >= what and naive.attempt(moves[:-what])
                table.undo(what)
            elif act == "undo one":
                seq = moves[what][0] if what < len(moves) else 999
                rest = [pair for pair in moves if pair[0] != seq]
                allowed = len(rest) < len(moves) and naive.attempt(rest)
                table.undo(seq=seq)
            elif act == "correct":
                place, die, value = what
                seq, old = moves[place] if place < len(moves) else (999, {})
                new = None
                if old.get("move") == "roll":
                    new = {**old, "dice": [dict(old_die) for old_die in old["dice"]]}
                    new["dice"][die] = {"colour": "pink", "value": value}
                changed = [(number, new if number == seq else move) for number, move in moves]
                allowed = new not in (None, old) and naive.attempt(changed)
                table.correct(seq, die, Die("pink", value))
            else:
                allowed = True
                journal.close()
                journal = opened(folder)
                table = Table(journal)
        except GameError:
            assert not allowed
            assert whole(table) == before
        else:
            assert allowed
        assert canonical_json(table.game.view(table.state)) == canonical_json(naive.game.view(naive.state(naive.moves)))
    assert again(table) == whole(table)
    lines = {line["seq"]: line for line in table.log()}
    standing = [seq for seq, line in lines.items() if line["kind"] == "move" and not line["undone"]]
    assert sorted(standing) == [seq for seq, _ in naive.moves]
    journal.close()


def test_a_roll_that_does_not_count_has_a_line_and_changes_nothing_else(table: Table, tmp_path: Path) -> None:
    before = table.state
    event = table.void_roll("leaning", [Die("red", 4)], client_id="v", by=0)
    assert table.void_roll("leaning", [Die("red", 4)], client_id="v", by=0) == event
    assert table.state == before
    assert texts(table)[-1] == "Ana's roll does not count: a die leaned against something."
    table.void_roll("other", [])
    assert texts(table)[-1] == "Ana's roll does not count."
    assert table.log()[0]["move"] is None
    with pytest.raises(InvalidInput) as refused:
        table.void_roll("tired", [])
    assert (refused.value.code, refused.value.field) == ("bad_reason", "reason")
    assert whole(Table(table.journal)) == whole(table), "told by its events alone"
    with pytest.raises(IllegalMove, match="cannot be undone"):
        table.undo()


def test_whoever_looks_does_not_wait_for_the_disk_that_an_act_waits_for(table: Table) -> None:
    before = whole(table)
    disk = sqlite3.connect(table.journal.path, isolation_level=None)
    disk.execute("BEGIN IMMEDIATE")  # the act has to wait until this is let go
    acting = threading.Thread(target=lambda: table.apply(roll(3, 4)))
    acting.start()
    acting.join(0.2)
    assert acting.is_alive()
    looked: list[Any] = []
    looking = threading.Thread(target=lambda: looked.append((whole(table), list(table.journal.events()))))
    looking.start()
    looking.join(20)
    assert acting.is_alive(), "the act still waits"
    assert looked == [(before, looked[0][1])]
    disk.execute("ROLLBACK")
    disk.close()
    acting.join()
    assert table.version == before[0] + 1
