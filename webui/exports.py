"""A game as a file that leaves the table: a spreadsheet, a whole record in JSON, and the play for BG Stats.

BG Stats takes a play by a link, https://app.bgstatsapp.com/createPlay.html?data=<JSON, percent-encoded>, which its app
opens where it is installed. Link and names of the fields are from
https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/ . These follow what code
of other programs sends, and were not tried in the app: `playDate` is the end of the play in UTC, `winner` and
`startPlayer` are always there, and `bggId` is left out, since the games' numbers at BoardGameGeek are not known here.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from engine.play import Play
from engine.records import total_of
from engine.words import told
from webui.past import Scores

BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="

Listed = Mapping[str, Any]
"""A game as `Table.games` lists it."""


def game_csv(game: Listed, play: Play, scores: Scores, language: str) -> str:
    """Return the turns that count, a row each, told in `language`, with everybody's points after it."""
    head = ["turn", "at", "move", "text", *(f"points {name}" for name in game["players"])]
    rows: list[Sequence[Any]] = [head]
    for number, (turn, (_, totals)) in enumerate(zip(play.turns, scores[1:], strict=True), start=1):
        rows.append([number, play.entries[turn.seq].at, turn.move["move"], told(turn.text, language), *totals])
    return _table(rows)


def list_csv(games: Iterable[Listed]) -> str:
    """Return every game, a row for each player, the oldest first."""
    rows: list[Sequence[Any]] = [
        ["game_id", "game", "opened_at", "closed_at", "status", "seat", "player", "place", "won", "points", "notes"]
    ]
    for game in sorted(games, key=lambda one: one["opened_at"]):
        for seat, name in enumerate(game["players"]):
            place = place_of(game, seat)
            rows.append(
                [
                    game["id"],
                    game["key"],
                    game["opened_at"],
                    game["closed_at"],
                    game["status"],
                    seat + 1,
                    name,
                    place,
                    None if place is None else int(place == 1),
                    total_of(game, seat) if game["result"] else None,
                    notes_of(game),
                ]
            )
    return _table(rows)


def game_json(game: Listed, play: Play, scores: Scores) -> dict[str, Any]:
    """Return the whole record of a game; what lies under `play` is what `jurado replay` takes."""
    return {
        **game,
        "log": [play.entries[seq].as_json() for seq in sorted(play.entries)],
        "scores": [{"seq": seq, "totals": list(totals)} for seq, totals in scores],
        "play": {"game": play.game.key, "setup": dict(play.setup), "moves": [dict(move) for move in play.moves]},
    }


def bg_stats(game: Listed, play: Play, location: str) -> dict[str, Any]:
    """Return a finished game as BG Stats takes it; `location` is where it was played, empty when that has no name."""
    began = datetime.fromisoformat(game["opened_at"])
    ended = datetime.fromisoformat(play.entries[play.turns[-1].seq].at) if play.turns else began
    first = play.game.prompt(play.first).seat
    totals = [total_of(game, seat) for seat in range(len(game["players"]))]
    players = [
        {
            "name": name,
            "sourcePlayerId": name,
            "startPlayer": seat == first,
            "winner": place_of(game, seat) == 1,
            "rank": place_of(game, seat),
            **({} if totals[seat] is None else {"score": totals[seat]}),
        }
        for seat, name in enumerate(game["players"])
    ]
    return {
        "sourceName": "Jurado",
        "sourcePlayId": game["id"],
        "playDate": ended.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "durationMin": max(1, round((ended - began).total_seconds() / 60)),
        "comments": notes_of(game),
        **({"location": location} if location else {}),
        "game": {
            "name": play.game.name,
            "sourceGameId": play.game.key,
            "highestWins": play.game.highest_wins,
            "noPoints": all(total is None for total in totals),
        },
        "players": players,
    }


def bg_stats_link(play: Mapping[str, Any]) -> str:
    """Return the link that hands a play to BG Stats."""
    return BG_STATS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")


def notes_of(game: Listed) -> str:
    """Return the notes on a game as they are now."""
    return game["notes"][-1]["text"] if game["notes"] else ""


def place_of(game: Listed, seat: int) -> int | None:
    """Return the place of a seat in a finished game; who shares a place has the same."""
    before = 0
    for group in (game["result"] or {}).get("ranking", ()):
        if seat in group:
            return before + 1
        before += len(group)
    return None


def _table(rows: Iterable[Sequence[Any]]) -> str:
    """Return comma-separated values as RFC 4180 has them, with the mark by which spreadsheets know UTF-8."""
    text = io.StringIO()
    csv.writer(text).writerows([_cell(value) for value in row] for row in rows)
    return "\ufeff" + text.getvalue()


def _cell(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
