"""Playing: what each move does to the state, and the rules that can forbid it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

from engine.carnavalesco.board import ELEMENT_NAMES, ELEMENTS, SPACES, Board
from engine.carnavalesco.draft import dice_a_pick, draw, next_first
from engine.carnavalesco.elements import label
from engine.carnavalesco.moves import AnyMove, CopyStrip, NextParade, Place, Retire, Roll, Take, TypeBase
from engine.carnavalesco.solo import broken_restrictions
from engine.carnavalesco.state import State, Taken, TypedBase, first_state
from engine.game import Below, IllegalMove
from engine.words import say


def play(state: State, move: AnyMove) -> State:
    """Return the state after `move`. Raises `IllegalMove` naming the rule."""
    match move:
        case Roll():
            return _roll(state, move)
        case Take():
            return _take(state, move)
        case CopyStrip():
            return replace(state, setup=state.setup.with_strip(move.division, move.strip))
        case TypeBase():
            return _type_base(state, move)
        case NextParade():
            return _next_parade(state)
        case Retire():
            _check_between(state)
            return replace(state, retired=True)


def _roll(state: State, move: Roll) -> State:
    if state.parade_over:
        raise IllegalMove("game_over", say("Every board is full, so no dice are rolled any more."), "move")
    if state.roll:
        raise IllegalMove(
            "already_rolled",
            say(
                "The dice of round {round} are on the table and {name} is to take. "
                "To read them anew, correct or undo the roll.",
                round=state.round,
                name=_school(state, state.picks[0]),
            ),
            "move",
        )
    wanted = draw(state.setup.seats)
    if len(move.dice) != wanted:
        raise IllegalMove(
            "wrong_count",
            say(
                "A round is played with {wanted} dice at this table, not with {given}. "
                "The round has not begun. Read or enter all of them.",
                wanted=wanted,
                given=len(move.dice),
            ),
            "dice",
        )
    return replace(state, roll=move.dice, taken=(None,) * wanted, picks_made=0)


def check_take(state: State, move: Take) -> None:
    """Raise `IllegalMove` when `move` cannot be made now."""
    if state.parade_over:
        raise IllegalMove("game_over", say("Every board is full, so no dice are taken any more."), "move")
    if not state.roll:
        raise IllegalMove("no_roll", say("There are no dice on the table to take from. Roll first."), "move")
    if move.seat != state.picks[0]:
        raise IllegalMove(
            "not_your_turn",
            say(
                "It is {name}'s turn to take dice, not {other}'s. Let {name} take first.",
                name=_school(state, state.picks[0]),
                other=_school(state, move.seat),
            ),
            "seat",
        )
    wanted = dice_a_pick(state.setup.seats)
    if len(move.places) != wanted:
        raise IllegalMove(
            "wrong_count",
            say(
                "A turn takes exactly {wanted} dice, not {given}. Choose {wanted}.",
                wanted=wanted,
                given=len(move.places),
            ),
            "places",
        )
    seen = set()
    for at, place in enumerate(move.places):
        _check_die(state, place, f"places[{at}].die")
        if place.die in seen:
            raise IllegalMove(
                "die_twice",
                say(
                    "One {die} was chosen twice. Choose {wanted} different dice.",
                    die=label(state.roll[place.die]),
                    wanted=wanted,
                ),
                f"places[{at}].die",
            )
        seen.add(place.die)


def _check_die(state: State, place: Place, field: str) -> None:
    if place.die >= len(state.roll):
        raise IllegalMove(
            "unknown_die",
            say(
                "There is no die {die} in this roll; its dice are 0 to {last}.", die=place.die, last=len(state.roll) - 1
            ),
            field,
        )
    taken = state.taken[place.die]
    if taken is not None:
        raise IllegalMove(
            "die_taken",
            say(
                "This {die} is on the board of {name} already. Choose another die.",
                die=label(state.roll[place.die]),
                name=_school(state, taken.seat),
            ),
            field,
        )


def _take(state: State, move: Take) -> State:
    check_take(state, move)
    board, taken = state.boards[move.seat], list(state.taken)
    for at, place in enumerate(move.places):
        board = _place(board, state, place, f"places[{at}]")
        taken[place.die] = Taken(move.seat, place.element)
    counters = list(state.counters)
    counters[move.seat] += len(counters_for(state, move))
    state = replace(
        state,
        boards=(*state.boards[: move.seat], board, *state.boards[move.seat + 1 :]),
        taken=tuple(taken),
        counters=tuple(counters),
        picks_made=state.picks_made + 1,
    )
    return state if state.picks else _end_round(state)


def _place(board: Board, state: State, place: Place, field: str) -> Board:
    spaces = board.element_spaces(place.element)
    name = ELEMENT_NAMES[place.element]
    if None not in spaces:
        raise IllegalMove(
            "no_space",
            say("{element} has no empty space for that die; dice never move. Choose another element.", element=name),
            f"{field}.element",
        )
    if place.space is not None and spaces[place.space] is not None:
        raise IllegalMove(
            "no_space",
            say("That space of {element} is taken; dice never move. Choose another space.", element=name),
            f"{field}.space",
        )
    return board.put(place.element, state.roll[place.die], place.space)


def counters_for(state: State, move: Take) -> list[str]:
    """Return the solo restrictions that `move` breaks; none when several schools play."""
    if state.setup.solo is None:
        return []
    return broken_restrictions(
        [state.roll[place.die] for place in move.places], [place.element for place in move.places]
    )


def _end_round(state: State) -> State:
    """Return the state with the left-over dice back in the bag and, unless it was the last round, the marker passed."""
    state = replace(state, roll=(), taken=(), picks_made=0)
    if state.round == state.rounds:
        return state
    return replace(state, round=state.round + 1, first=next_first(state.setup.seats, state.first))


def _type_base(state: State, move: TypeBase) -> State:
    name = ELEMENT_NAMES[move.element]
    bases = dict(state.typed[move.seat])
    if move.base is None:
        if move.element not in bases:
            raise IllegalMove(
                "no_base",
                say(
                    "No base was typed for {name} in {element}; none to take back.",
                    name=_school(state, move.seat),
                    element=name,
                ),
                "element",
            )
        del bases[move.element]
    elif not state.boards[move.seat].full(move.element):
        raise IllegalMove(
            "element_not_full",
            say(
                "{element} of {name} is not full yet. Type its base after the fourth die.",
                element=name,
                name=_school(state, move.seat),
            ),
            "element",
        )
    else:
        there = sum(die.value for die in state.boards[move.seat].dice(move.element))
        total = there if move.total is None else move.total
        if total != there and not move.outdated:
            raise IllegalMove(
                "wrong_sum",
                say(
                    "{element} of {name} has the sum {there}, not {total}, so nothing was changed. "
                    "Type the base that the strip has for {there}.",
                    element=name,
                    name=_school(state, move.seat),
                    there=there,
                    total=total,
                ),
                "sum",
            )
        bases[move.element] = TypedBase(move.base, total)
    typed = tuple((element, bases[element]) for element in ELEMENTS if element in bases)
    return replace(state, typed=(*state.typed[: move.seat], typed, *state.typed[move.seat + 1 :]))


def _next_parade(state: State) -> State:
    """Return the first state of the next parade, in the division that this one earned; every die is in the bag."""
    _check_between(state)
    parade = state.parade_of(state.tallies()[0])
    setup = state.setup.in_division(parade.outcome.next_division)
    return replace(first_state(setup), parades=(*state.parades, parade))


def _check_between(state: State) -> None:
    """Raise `IllegalMove` unless a career stands between two parades."""
    if state.setup.solo is None or state.setup.solo.career is None:
        raise IllegalMove(
            "no_career",
            say("This game is no solo career, so no parade follows it. Lay out a career when a new game is opened."),
            "move",
        )
    match state.phase:
        case "between":
            return
        case "finished":
            raise IllegalMove("career_over", say("The career of this school is over. Open a new game."), "move")
        case "judging":
            raise IllegalMove(
                "parade_not_judged",
                say("This parade still lacks base marks, so its result is not known. Copy the strip or type them."),
                "move",
            )
        case _:
            raise IllegalMove(
                "parade_not_over", say("This parade is not over yet. Fill all nine elements first."), "move"
            )


def takes(state: State) -> Iterator[Take]:
    """Yield every legal take, without its spaces; under `progression.ordered_spaces` with Progression's spaces."""
    seat = state.turn
    if seat is None:
        return
    count = dice_a_pick(state.setup.seats)
    left = [at for at, taken in enumerate(state.taken) if taken is None]
    board = state.boards[seat]
    targets = [target for element in ELEMENTS for target in _targets(state, board, element)]
    for dice in combinations(left, count):
        for chosen in product(targets, repeat=count):
            wanted = Counter(element for element, _ in chosen)
            spaces = [target for target in chosen if target[1] is not None]
            if len(set(spaces)) < len(spaces) or any(board.free(el) < n for el, n in wanted.items()):
                continue
            yield Take(seat, tuple(Place(die, *target) for die, target in zip(dice, chosen, strict=True)))


def sample_take(state: State, below: Below) -> Take | None:
    """Return one of `takes` by chance, or None; any dice that are left, in any spaces that are empty."""
    seat = state.turn
    if seat is None:
        return None
    left = [at for at, taken in enumerate(state.taken) if taken is None]
    board = state.boards[seat]
    empty = [(element, at) for element in ELEMENTS for at in range(SPACES) if board.element_spaces(element)[at] is None]
    count = dice_a_pick(state.setup.seats)
    dice = sorted(left.pop(below(len(left))) for _ in range(count))
    spaces = [empty.pop(below(len(empty))) for _ in range(count)]
    ordered = ["progression"] if state.setup.rules.ordered_spaces else []
    return Take(
        seat,
        tuple(
            Place(die, element, space if element in ordered else None)
            for die, (element, space) in zip(dice, spaces, strict=True)
        ),
    )


def _targets(state: State, board: Board, element: str) -> list[tuple[str, int | None]]:
    if element == "progression" and state.setup.rules.ordered_spaces:
        return [(element, at) for at in range(SPACES) if board.element_spaces(element)[at] is None]
    return [(element, None)] if board.free(element) else []


def _school(state: State, seat: int) -> str:
    return state.setup.schools[seat].name
