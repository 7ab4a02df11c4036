"""The words: what happens next, and what each move did."""

from __future__ import annotations

from engine.carnival_of_sins.moves import Again, AnyMove, Fall, Knock, Pride, Reveal, Roll
from engine.carnival_of_sins.play import against, fallen_value, takes, waited_for
from engine.carnival_of_sins.sins import SIN_NAMES, die_name, distances, rule_of
from engine.carnival_of_sins.state import ROUNDS, State
from engine.game import Prompt
from engine.words import joined, listed, say, say_many


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
            thrown, *moved = map(die_name, state.again)
            then = say("Then read {dice}.", dice=listed([thrown, *moved])) if moved else say("Then read it.")
            text = joined(say("{name} throws {die} by Wrath.", name=name, die=thrown), then)
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
            assert state.turn is not None
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
            cost = fallen_value(state, move)
            return joined(
                say("By Wrath's throw {die} fell off the table.", die=die_name(move.die)),
                say_many("That costs {count} point.", "That costs {count} points.", cost)
                if cost
                else say("At this table that costs nothing."),
            )
        case Pride():
            return say("{name} takes {die} by Pride.", name=names[move.seat], die=die_name(move.die))
    raise AssertionError(move)


def _tell_reveal(state: State, move: Reveal) -> str:
    name, sin = state.setup.names[move.seat], SIN_NAMES[move.sin]
    dice = takes(state, move)
    taken = listed(map(die_name, dice))
    agreed = ""
    if against(state, move):
        agreed = say("The table lets it stand. By the rules: {rule}", rule=rule_of(move.sin, state.setup.rules))
    if not state.plays and move.seat != state.due:
        agreed = joined(_another_devil(state, move.seat), agreed)
    if move.sin == "wrath":
        return joined(say("{name} reveals {sin} and throws {dice}.", name=name, sin=sin, dice=taken), agreed)
    if move.sin in ("envy", "pride"):
        return joined(say("{name} reveals {sin}.", name=name, sin=sin), agreed)
    if not dice:
        return joined(say("{name} reveals {sin} and takes no dice.", name=name, sin=sin), agreed)
    told = say("{name} reveals {sin} and takes {dice}.", name=name, sin=sin, dice=taken)
    robbed = [owner for die in dice if (owner := state.owner(die)) is not None]
    if robbed:
        told = joined(told, say("One of them is taken from {victim}.", victim=state.setup.names[robbed[0]]))
    return joined(told, _how_near(state, move.seat, dice[0]) if move.sin == "sloth" else "", agreed)


def _how_near(state: State, seat: int, die: str) -> str:
    """Return how near a die lies to `seat` beside the nearest of the others; nothing where that is not known."""
    away = distances(state, seat)
    others = [one for one in away or () if one.die != die]
    if away is None or not others:
        return ""
    own = next(one.away for one in away if one.die == die)
    return say(
        "It lies about {own} widths of a die from {name}; the nearest of the others, {other}, about {away}.",
        own=_number(own),
        name=state.setup.names[seat],
        other=die_name(others[0].die),
        away=_number(others[0].away),
    )


def _number(number: float) -> str:
    """Return a number to one place after the point, which not every language writes as a point."""
    whole, _, tenth = f"{number:.1f}".partition(".")
    return say("{whole}.{tenth}", whole=whole, tenth=tenth)


def notes(state: State) -> list[str]:
    """Return what the table has agreed to in this round beside the rules."""
    names = state.setup.names
    told: list[str] = [
        say(
            "{name} has dice that {sin} does not take. The table lets them stand.",
            name=names[play.seat],
            sin=SIN_NAMES[play.sin],
        )
        for play in state.plays
        if play.agreed
    ]
    if state.phase != "finished" and state.devil != state.due:
        return [_another_devil(state, state.devil), *told]
    return told


def _another_devil(state: State, seat: int) -> str:
    names = state.setup.names
    return say(
        "{name} has the Devil Card by the table's word; by the rules it is {other}'s.",
        name=names[seat],
        other=names[state.due],
    )
