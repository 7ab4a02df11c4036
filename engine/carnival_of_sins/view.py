"""What lies on the table as JSON, for pages: played sins stay hidden unless the table shows them."""

from __future__ import annotations

from typing import Any

from engine.carnival_of_sins.marks import ranking
from engine.carnival_of_sins.play import waited_for
from engine.carnival_of_sins.sins import BLACK, DICE, SINS, WHITE, choices, distances, rule_of
from engine.carnival_of_sins.state import ROUNDS, State
from engine.carnival_of_sins.telling import notes
from engine.words import say


def view(state: State) -> dict[str, Any]:
    """Return the round as it lies, what can be done, and the sheet of the seven rounds."""
    setup, phase = state.setup, state.phase
    rolled = bool(state.values)
    return {
        "phase": phase,
        "round": state.round,
        "rounds": ROUNDS,
        "devil": state.devil,
        "order": list(state.order),
        "turn": state.turn,
        "dice": [_die(state, die) for die in DICE] if rolled else [],
        "white": state.value(WHITE) if rolled else None,
        "roll": list(waited_for(state)) if phase != "finished" else [],
        "fallen": list(state.fallen),
        "plays": [
            {
                "seat": play.seat,
                "sin": play.sin,
                "dice": list(state.locked(play.seat)),
                "penalty": play.penalty,
                "agreed": play.agreed,
                "points": points,
            }
            for play, points in zip(state.plays, state.points_so_far(), strict=True)
        ],
        "choices": offered(state),
        "sheet": sheet(state),
        "players": [
            {
                "name": player.name,
                "angle": player.angle,
                "locked": list(state.locked(seat)),
                "played": list(state.played(seat)) if shows_all(state) else None,
            }
            for seat, player in enumerate(setup.players)
        ],
        "house_rules": setup.rules.as_json(),
        "notes": notes(state),
    }


def _die(state: State, die: str) -> dict[str, Any]:
    place = state.place(die)
    return {
        "die": die,
        "shape": "d6" if die == WHITE else die,
        "colour": "white" if die == WHITE else "black",
        "value": state.value(die),
        "locked_by": state.owner(die) if die in BLACK else None,
        "place": None if place is None else list(place),
    }


def sins_known(state: State, viewer: int | None = None) -> tuple[str, ...]:
    """Return the sins that the player whose turn it is may have, as far as the seat `viewer` knows (None: anybody).

    Players know their own hand; of another's they must remember what was played, unless the table shows it.
    """
    turn = state.turn
    if turn is None:
        return ()
    return state.hand(turn) if shows_all(state) or viewer == turn else SINS


def offered(state: State, viewer: int | None = None) -> list[dict[str, Any]]:
    """Return each of `sins_known` with the dice it can take, while one is to be revealed; Sloth's with how near."""
    seat = state.turn
    if state.phase != "reveal" or seat is None:
        return []
    found = []
    for sin in sins_known(state, viewer):
        options = choices(state, seat, sin)
        away = distances(state, seat) if sin == "sloth" else None
        found.append(
            {
                "sin": sin,
                "rule": rule_of(sin, state.setup.rules),
                "dice": [list(option) for option in options],
                "distances": None if away is None else {one.die: one.away for one in away},
            }
        )
    return found


def shows_all(state: State) -> bool:
    """Tell whether the sins of all rounds may be seen: memory is part of the game while it is played."""
    return state.setup.rules.memory_aid or state.phase == "finished"


def sheet(state: State) -> list[dict[str, Any]]:
    """Return the rounds that are over: scores and reasons by seat, the Devil of the round, and the next one.

    The sins of a round are told while its cards lie on top, until the next roll; later the sheet keeps only points.
    """
    rows = []
    for at, (this, marks) in enumerate(zip(state.rounds, state.marks(), strict=True)):
        open_cards = shows_all(state) or (at == len(state.rounds) - 1 and not state.values)
        sins = {line.seat: line.sin for line in this.lines}
        hidden = [say("Written down: {points}. The sins stay hidden.", points=points) for points in marks.scores]
        rows.append(
            {
                "round": at + 1,
                "devil": this.lines[0].seat,
                "white": this.white,
                "scores": list(marks.scores),
                "why": list(marks.whys if open_cards else hidden),
                "sins": [sins[seat] for seat in range(state.setup.seats)] if open_cards else None,
                "next_devil": marks.devil,
                "next_devil_why": marks.devil_why if open_cards else "",
            }
        )
    return rows


def scoreboard(state: State) -> dict[str, Any]:
    """Return the totals, and each round's score with its reason."""
    rows, totals = sheet(state), state.totals()
    names = state.setup.names
    groups = ranking([row["scores"] for row in rows], len(names), state.setup.rules)
    return {
        "players": [
            {
                "name": name,
                "total": totals[seat],
                "rounds": [{"score": row["scores"][seat], "why": row["why"][seat]} for row in rows],
            }
            for seat, name in enumerate(names)
        ],
        "ranking": [[names[seat] for seat in group] for group in groups],
        "rounds": rows,
    }
