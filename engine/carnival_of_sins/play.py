"""Playing: what each move does to the state, what is legal now, and the rules that can forbid it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.carnival_of_sins.marks import Round, devil_points, score_round
from engine.carnival_of_sins.moves import Again, AnyMove, Fall, Knock, Legal, Pride, Reveal, Roll
from engine.carnival_of_sins.sins import (
    BLACK,
    DICE,
    SIN_NAMES,
    WHITE,
    Choice,
    choices,
    could_lie,
    die_name,
    faces,
    rule_of,
)
from engine.carnival_of_sins.state import Play, State
from engine.game import IllegalMove
from engine.words import joined, listed, say


def play(state: State, move: AnyMove) -> State:
    """Return the state after `move`. Raises `IllegalMove` naming the rule."""
    if state.phase == "finished":
        raise IllegalMove("game_over", say("The seven rounds are over. Undo a move to change something."), "move")
    match move:
        case Roll():
            return _roll(state, move)
        case Again():
            return _again(state, move)
        case Reveal():
            return _reveal(state, move)
        case Knock():
            return _knock(state, move)
        case Fall():
            return _fall(state, move)
        case Pride():
            return _pride(state, move)


def legal(state: State, sins: Sequence[str] | None = None) -> Iterator[Legal]:
    """Yield every legal move but the rolls, which come from outside.

    `sins` stand for the hand of the player whose turn it is, for those who may not know it.
    """
    match state.phase:
        case "reveal":
            seat = state.turn
            assert seat is not None
            for sin in state.hand(seat) if sins is None else sins:
                for dice in choices(state, seat, sin):
                    yield Reveal(seat, sin, dice)
            if not state.plays:
                yield Again()
                yield from map(Again, DICE)
        case "throw":
            yield from (Knock(die) for die in DICE if die not in state.again)
            for die in DICE:
                if die not in state.fallen:
                    yield Fall(die)
                    if state.setup.rules.fallen == "shown":
                        yield from (Fall(die, value) for value in range(1, faces(die) + 1))
        case "pride":
            seat = state.turn
            assert seat is not None
            yield from (Pride(seat, die) for die in state.on_table)


def waited_for(state: State) -> tuple[str, ...]:
    """Return the dice that are to be rolled and read now, by name."""
    return DICE if state.phase == "roll" else state.again


def takes(state: State, move: Reveal) -> Choice:
    """Return the dice that a reveal takes: those it names, or the only ones it can. Raises `IllegalMove`.

    Dice that the sin does not take may stand when the table agrees to it.
    """
    options = choices(state, move.seat, move.sin)
    sin, rule = SIN_NAMES[move.sin], rule_of(move.sin, state.setup.rules)
    if move.dice is None:
        if len(options) > 1:
            choose = say("There is a choice, so name the dice of {sin}.", sin=sin)
            if () in options:
                choose = joined(choose, say("To take none, give an empty list of dice."))
            raise IllegalMove("must_choose", joined(rule, choose), "dice")
        return options[0]
    if move.dice in options or (move.agreed and could_lie(state, move.sin, move.dice)):
        return move.dice
    locked = [die for die in move.dice if state.owner(die) is not None]
    if locked and move.sin not in ("lust", "wrath"):
        raise IllegalMove(
            "die_locked",
            say("{sin} cannot take {die}: it is locked. Choose an unlocked die.", sin=sin, die=die_name(locked[0])),
            "dice",
        )
    if could_lie(state, move.sin, move.dice):
        rule = joined(rule, say("If the table sees it otherwise, say agreed."))
    raise IllegalMove("against_the_sin", rule, "dice")


def against(state: State, move: Reveal) -> bool:
    """Tell whether a reveal stands by the table's word alone."""
    return move.dice is not None and move.dice not in choices(state, move.seat, move.sin)


def standing(before: State, move: Reveal, now: State) -> Reveal:
    """Return `move`, made in `before`, as it is made in `now`, where dice read differently: what lay there stays."""
    made = replace(move, dice=takes(before, move))
    if now.phase != "reveal":
        return made
    another_devil = not before.plays and not now.plays and move.seat != now.turn
    return replace(made, agreed=another_devil or against(now, made))


def _roll(state: State, move: Roll) -> State:
    wanted = waited_for(state)
    if not wanted:
        raise IllegalMove(
            "already_rolled",
            say("The dice lie on the table. To roll again use the move for it; to read one anew correct the roll."),
            "move",
        )
    if sorted(move.names) != sorted(wanted):
        raise IllegalMove(
            "wrong_dice",
            say(
                "These dice are rolled now, each once: {wanted}. Given were: {given}. Read or enter them again.",
                wanted=listed(map(die_name, wanted)),
                given=listed(map(die_name, move.names)) or say("none"),
            ),
            "dice",
        )
    seen = {name: (value, place) for name, value, place in zip(move.names, move.values, move.places, strict=True)}
    values = tuple(seen[die][0] if die in seen else state.value(die) for die in DICE)
    places = tuple(seen[die][1] if die in seen else state.place(die) for die in DICE)
    owners = state.owners or (None,) * len(BLACK)
    return _settled(replace(state, values=values, places=places, owners=owners, again=(), fallen=()))


def _again(state: State, move: Again) -> State:
    if state.phase != "reveal" or state.plays:
        raise IllegalMove(
            "no_roll_again",
            say("Dice are rolled again after the Devil's roll and before the first sin is revealed, and not now."),
            "move",
        )
    if move.die is None:
        return replace(state, values=(), places=(), owners=())
    return replace(state, again=(move.die,))


def _no_reveal(state: State) -> str:
    if state.phase == "pride":
        return say("All sins are revealed. Let Pride take its dice first.")
    return say("No sin can be revealed while dice are to be rolled. Roll and read them first.")


def _reveal(state: State, move: Reveal) -> State:
    if state.phase != "reveal":
        raise IllegalMove("no_reveal", _no_reveal(state), "move")
    if move.agreed and not state.plays:
        state = replace(state, devil=move.seat)
    _check_turn(state, move.seat)
    name = state.setup.names[move.seat]
    if move.sin not in state.hand(move.seat):
        raise IllegalMove(
            "sin_played",
            say(
                "{name} has played {sin} before, and each sin is played once in a game. Choose another one.",
                name=name,
                sin=SIN_NAMES[move.sin],
            ),
            "sin",
        )
    dice = takes(state, move)
    copied = None
    if move.sin == "envy" and state.setup.rules.envy_when == "reveal":
        copied = devil_points(state.line(state.plays[0]), state.setup.rules) if state.plays else 0
    plays = (*state.plays, Play(move.seat, move.sin, copied=copied, agreed=against(state, move)))
    if move.sin == "wrath":
        return replace(state, plays=plays, again=dice)
    return _settled(replace(_given(state, move.seat, dice), plays=plays))


def _knock(state: State, move: Knock) -> State:
    _check_throw(state)
    if move.die in state.again:
        raise IllegalMove(
            "already_moving",
            say("This throw moves {die} already; it is among the dice to be read.", die=die_name(move.die)),
            "die",
        )
    return replace(state, again=(*state.again, move.die))


def _fall(state: State, move: Fall) -> State:
    _check_throw(state)
    if move.die in state.fallen:
        raise IllegalMove(
            "already_fallen", say("In this throw {die} has fallen already.", die=die_name(move.die)), "die"
        )
    rules = state.setup.rules
    if rules.fallen == "before" and move.value is not None:
        raise IllegalMove(
            "value_before",
            say(
                "At this table a fallen die costs what it showed before the throw (wrath.fallen). Leave the value out."
            ),
            "value",
        )
    mine = state.plays[-1]
    mine = replace(mine, penalty=mine.penalty + fallen_value(state, move))
    again = state.again if move.die in state.again else (*state.again, move.die)
    return replace(state, plays=(*state.plays[:-1], mine), again=again, fallen=(*state.fallen, move.die))


def fallen_value(state: State, move: Fall) -> int:
    """Return how many points a fallen die costs."""
    if move.die == WHITE and not state.setup.rules.white_counts:
        return 0
    return state.value(move.die) if move.value is None else move.value


def _pride(state: State, move: Pride) -> State:
    if state.phase != "pride":
        raise IllegalMove(
            "no_pride",
            say("Pride takes dice at the end of the round, when all sins are revealed. Reveal the others first."),
            "move",
        )
    _check_turn(state, move.seat)
    if move.die not in state.on_table:
        raise IllegalMove(
            "die_locked",
            say(
                "{sin} cannot take {die}: it is locked. Choose an unlocked die.",
                sin=SIN_NAMES["pride"],
                die=die_name(move.die),
            ),
            "die",
        )
    return _settled(_given(state, move.seat, (move.die,)))


def _given(state: State, seat: int, dice: Sequence[str]) -> State:
    owners = tuple(seat if die in dice else owner for die, owner in zip(BLACK, state.owners, strict=True))
    return replace(state, owners=owners)


def _settled(state: State) -> State:
    """Return the state after what nobody has to choose: the last dice of Pride, then the score of the round."""
    if len(state.plays) < state.setup.seats or state.again:
        return state
    while state.proud and state.on_table and (len(state.proud) == 1 or len(state.on_table) == 1):
        seat = state.turn
        assert seat is not None
        state = _given(state, seat, state.on_table[:1])
    if state.proud and state.on_table:
        return state
    this = Round(state.value(WHITE), tuple(map(state.line, state.plays)))
    marks = score_round(this, state.setup.names, state.setup.rules)
    return State(state.setup, marks.devil, rounds=(*state.rounds, this))


def _check_turn(state: State, seat: int) -> None:
    turn = state.turn
    assert turn is not None
    if seat != turn:
        names = state.setup.names
        message = say("It is {turn}'s turn, not {name}'s. Let {turn} go first.", turn=names[turn], name=names[seat])
        raise IllegalMove("not_your_turn", message, "seat")


def _check_throw(state: State) -> None:
    if state.phase != "throw":
        raise IllegalMove(
            "no_throw",
            say("Dice are knocked and fall by Wrath's throw, and no such throw is on. Reveal Wrath first."),
            "move",
        )
