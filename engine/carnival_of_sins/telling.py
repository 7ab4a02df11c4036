"""The words: what happens next, and what each move did."""

from __future__ import annotations

from engine.carnival_of_sins.moves import Again, AnyMove, Fall, Knock, Pride, Reveal, Roll
from engine.carnival_of_sins.play import die_name, fallen_value, takes, waited_for
from engine.carnival_of_sins.sins import SIN_NAMES, distances
from engine.carnival_of_sins.state import ROUNDS, State
from engine.game import Prompt
from engine.words import joined, listed, say


def prompt(state: State) -> Prompt:
    """Return what happens next in a game that is not over."""
    seat = state.turn
    assert seat is not None
    name = state.setup.names[seat]
    match state.phase:
        case "roll":
            text = say("{name} has the Devil Card and rolls all seven dice.", name=name)
            why = say(
                "Round {round} of {rounds}. When a die falls off the table, all are rolled again; a die that lies "
                "unclear is rolled again alone; a die on a card is moved off it.",
                round=state.round,
                rounds=ROUNDS,
            )
            return Prompt("roll", text, seat, why)
        case "again":
            dice = listed(map(die_name, state.again))
            return Prompt("roll", say("{name} rolls {dice} again.", name=name, dice=dice), seat, say("It lay unclear."))
        case "throw":
            dice = listed(map(die_name, state.again))
            text = say(
                "{name} throws {die} by Wrath. Then read {dice}.", name=name, die=die_name(state.again[0]), dice=dice
            )
            why = say(
                "Say first which dice it knocked and which fell off the table. A fallen die costs {name} its value and "
                "is rolled again. Dice of other players go back onto their sins.",
                name=name,
            )
            return Prompt("roll", text, seat, why)
        case "reveal":
            text = say("{name} reveals a sin.", name=name)
            why = say(
                "Sins are revealed in order from the Devil, {devil}, clockwise.", devil=state.setup.names[state.devil]
            )
            return Prompt("reveal", text, seat, why)
    text = say("{name} takes one of the dice that are left, by Pride.", name=name)
    return Prompt("pride", text, seat, say("Proud players take dice in turn, the first to reveal it first."))


def purpose(state: State) -> str:
    """Return what the dice that are waited for are."""
    if state.phase == "roll":
        return say("Round {round} of {rounds}: all seven dice.", round=state.round, rounds=ROUNDS)
    return say("To be rolled again and read: {dice}.", dice=listed(map(die_name, waited_for(state))))


def tell(state: State, move: AnyMove) -> str:
    """Return one sentence about `move`, made in `state`."""
    names = state.setup.names
    match move:
        case Roll():
            dice = listed(
                [
                    say("{die} showing {value}", die=die_name(die), value=value)
                    for die, value in zip(move.names, move.values, strict=True)
                ]
            )
            if state.turn is None:
                return say("Read: {dice}.", dice=dice)
            return say("{name} rolled {dice}.", name=names[state.turn], dice=dice)
        case Again(None):
            return say("All dice are rolled again.")
        case Again(die) if die is not None:
            return say("This die lay unclear and is rolled again: {die}.", die=die_name(die))
        case Reveal():
            return _tell_reveal(state, move)
        case Knock():
            return say("Wrath's throw knocked {die}.", die=die_name(move.die))
        case Fall():
            cost = fallen_value(state, move) if state.values else 0
            return say("By Wrath's throw {die} fell off the table: -{cost}.", die=die_name(move.die), cost=cost)
        case Pride():
            return say("{name} takes {die} by Pride.", name=names[move.seat], die=die_name(move.die))
    raise AssertionError(move)


def _tell_reveal(state: State, move: Reveal) -> str:
    name, sin = state.setup.names[move.seat], SIN_NAMES[move.sin]
    dice = takes(state, move)
    taken = listed(map(die_name, dice))
    if move.sin == "wrath":
        return say("{name} reveals {sin} and throws {dice}.", name=name, sin=sin, dice=taken)
    if not dice:
        return say("{name} reveals {sin}.", name=name, sin=sin)
    told = say("{name} reveals {sin} and takes {dice}.", name=name, sin=sin, dice=taken)
    robbed = [owner for die in dice if (owner := state.owner(die)) is not None]
    if robbed:
        return joined(told, say("One of them is taken from {victim}.", victim=state.setup.names[robbed[0]]))
    if move.sin == "sloth" and (away := distances(state, move.seat)) is not None:
        own = next(one.away for one in away if one.die == dice[0])
        others = [one for one in away if one.die != dice[0]]
        if others:
            return joined(
                told,
                say(
                    "It lies about {own} widths of a die away; of the others the nearest, {other}, {away}.",
                    own=round(own, 1),
                    other=die_name(others[0].die),
                    away=round(others[0].away, 1),
                ),
            )
    return told
