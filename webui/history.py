"""The games played at this table: the list, each game with its marks, plot and photographs, the records, the bin."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from flask import Blueprint, Response, abort, jsonify, request

from engine.game import GameError
from engine.game import games as known_games
from engine.play import Play
from engine.records import records, total_of
from engine.words import say, say_many
from webui import charts, exports
from webui.errors import WebError
from webui.games import part_of
from webui.play_page import shown
from webui.roles import Role, needs
from webui.services import services
from webui.snapshot import colours_of, house_rules, pictured, spoken, told_game
from webui.words import language, told_here

blueprint = Blueprint("history", __name__)

ON_A_PAGE = 10


def secret(game: Mapping[str, Any]) -> bool:
    """Tell whether the marks of a game are still to be read aloud, so that its page keeps them closed at first."""
    return game["status"] == "open" and part_of(game["key"]).ceremony is not None


def _told(game: Mapping[str, Any]) -> dict[str, Any]:
    """Return a game of the list as its pages show it: `places` as (place, name, points), and the `sentence`."""
    result = game["result"]
    places = []
    for group in result["ranking"] if result else ():
        places += [(exports.place_of(game, seat), game["players"][seat], total_of(game, seat)) for seat in group]
    sentence = told_here(services().past.result(game["id"])) or result["text"] if result else ""
    return {**game, "places": places, "sentence": sentence, "secret": secret(game), "note": exports.notes_of(game)}


@blueprint.get("/history")
@needs(Role.LOOK)
def games() -> str:
    """Show the games, newest first, some to a page; all, or those of one game or person."""
    table = services().table
    key, player = request.args.get("game", ""), request.args.get("player", "")
    listed = [
        game for game in table.games() if (not key or game["key"] == key) and (not player or player in game["players"])
    ]
    pages = max(1, math.ceil(len(listed) / ON_A_PAGE))
    asked = request.args.get("page", "1")
    page = min(pages, max(1, int(asked))) if asked.isascii() and asked.isdecimal() and len(asked) < 9 else 1
    here = listed[(page - 1) * ON_A_PAGE : page * ON_A_PAGE]
    return shown(
        "history.html",
        games=[_told(game) for game in here],
        count=len(listed),
        page=page,
        pages=pages,
        chosen={"game": key, "player": player},
        chosen_name=known_games()[key].name if key in known_games() else key,
        in_bin=len(table.games(deleted=True)),
    )


@blueprint.get("/history.csv")
@needs(Role.LOOK)
def all_games_csv() -> Response:
    """Return every game as a spreadsheet, a row for each player; what is still secret is left open."""
    listed = [{**game, "result": None} if secret(game) else game for game in services().table.games()]
    return _file(exports.list_csv(listed), "text/csv", "jurado-games.csv")


@blueprint.get("/history/bin")
@needs(Role.LOOK)
def deleted() -> str:
    """Show the games in the bin."""
    return shown("bin.html", games=services().table.games(deleted=True))


@blueprint.get("/records")
@needs(Role.LOOK)
def of_people() -> str:
    """Show who played how often and how well."""
    names = {key: game.name for key, game in known_games().items()}
    highest = {key: game.highest_wins for key, game in known_games().items()}
    listed = [game for game in services().table.games() if not secret(game)]
    return shown("records.html", records=records(listed), names=names, highest=highest)


def _found(game_id: str) -> tuple[dict[str, Any], Play]:
    """Return a game of the list and how it was played. Aborts, or raises `WebError`."""
    found = next((game for game in services().table.games() if game["id"] == game_id), None)
    if found is None:
        if any(game["id"] == game_id for game in services().table.games(deleted=True)):
            raise WebError(404, "in_bin", say("This game lies in the bin. The host can take it back from there."))
        abort(404)
    try:
        return found, services().past.play(game_id)
    except GameError as error:
        raise WebError(
            409,
            error.code,
            say(
                "This game cannot be shown under today's rules: {message} It is kept in the journal.",
                message=error.message,
            ),
        ) from error


@blueprint.get("/history/<game_id>")
@needs(Role.LOOK)
def game(game_id: str) -> str:
    """Show one game: its marks, the plot of its points, its photographs, house rules, notes and log."""
    found, play = _found(game_id)
    table, station = services().table, services().station
    seen = play.game.view(play.state)
    view = told_here(seen)
    entries = part_of(play.game.key).log(
        [play.entries[seq].as_json() for seq in sorted(play.entries, reverse=True)], seen
    )
    log = pictured(spoken(entries, colours_of(play.game, play.state, seen), language()), station)
    over = found["result"] is not None
    gone = sum(roll.pictured and station.photo_of(roll.seq) is None for roll in table.rolls(game_id))
    kept = [line for line in log if line["photo"]]
    return shown(
        "past.html",
        game=_told(found),
        scoreboard=told_here(play.game.scoreboard(play.state)),
        plot=_plot(play, services().past.scores(game_id)),
        rules=told_here(house_rules(play.game, play.setup)),
        has_rules=bool(play.game.house_rules),
        notes=view.get("notes", []),
        log=log,
        photos=kept,
        pruned=told_here(_pruned(gone)),
        megabytes=station.photos.bytes // 1_000_000,
        bg_stats=exports.bg_stats_link(exports.bg_stats(found, play, table.arrangement.name)) if over else None,
        over=over,
        past=told_game(game_id, play.game, play.state, play.setup, seen, language()) if over else None,
    )


def _pruned(count: int) -> str:
    """Return what is said of a game's photographs that are there no more, nothing when all are."""
    if not count:
        return ""
    return say_many(
        "{count} photograph of this game has made room for newer ones.",
        "{count} photographs of this game have made room for newer ones.",
        count,
    )


def _plot(play: Play, scores: Sequence[tuple[int | None, tuple[float | None, ...]]]) -> dict[str, Any] | None:
    """Return the plot of a game's points and its figures, None while there is nothing to draw."""
    totals = [row for _, row in scores]
    if len(totals) < 2 or all(value in (None, 0) for row in totals for value in row):
        return None
    seats = charts.lines(play.game.seats(play.first), totals)
    changes = [(turn, row) for turn, (before, row) in enumerate(pairwise(totals), 1) if row != before]
    drawn = charts.points_plot(
        seats,
        title=told_here(say("Points over the turns")),
        description=told_here(
            say(
                "{count} turns. At the end: {points}.",
                count=len(totals) - 1,
                points=", ".join(f"{line.name} {'–' if line.last is None else line.last}" for line in seats),
            )
        ),
        turn=told_here(say("Turn")),
    )
    return {
        "svg": drawn,
        "lines": seats,
        "keys": [charts.key_line(*pair[::-1]) for pair in enumerate(seats)],
        "rows": changes,
    }


def _exported(game_id: str) -> tuple[dict[str, Any], Play]:
    """Return a game that is over or put away. Raises `WebError` for one still played: its file would tell what the
    game keeps secret."""
    found, play = _found(game_id)
    if found["status"] == "open" and found["result"] is None:
        raise WebError(
            409,
            "still_played",
            say("This game is still played, so there is no file of it yet. Play it to its end, or put it away first."),
        )
    return found, play


@blueprint.get("/history/<game_id>.csv")
@needs(Role.LOOK)
def game_csv(game_id: str) -> Response:
    """Return one game as a spreadsheet: a row for each turn that counts, with everybody's points after it."""
    found, play = _exported(game_id)
    return _file(
        exports.game_csv(found, play, services().past.scores(game_id), language()), "text/csv", _name(found, "csv")
    )


@blueprint.get("/history/<game_id>.json")
@needs(Role.LOOK)
def game_json(game_id: str) -> Response:
    """Return the whole record of one game; what lies under `play` is what `jurado replay` takes."""
    found, play = _exported(game_id)
    answer = jsonify(told_here(exports.game_json(found, play, services().past.scores(game_id))))
    answer.headers["Content-Disposition"] = f'attachment; filename="{_name(found, "json")}"'
    return answer


def _name(game: Mapping[str, Any], ending: str) -> str:
    return f"jurado-{game['key']}-{game['opened_at'][:10]}.{ending}"


def _file(text: str, mimetype: str, name: str) -> Response:
    answer = Response(text, mimetype=mimetype)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
