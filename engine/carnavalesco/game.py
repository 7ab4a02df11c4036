"""Carnavalesco as a game of the house: what the table, the pages and the log ask of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine import fields
from engine.carnavalesco import state as states
from engine.carnavalesco.bag import bag_json
from engine.carnavalesco.board import ELEMENT_NAMES
from engine.carnavalesco.career import career_sentence
from engine.carnavalesco.draft import dice_a_pick, draw
from engine.carnavalesco.elements import SEVERAL, label
from engine.carnavalesco.house_rules import RULES
from engine.carnavalesco.moves import MOVES, CopyStrip, NextParade, Retire, Roll, Take, TypeBase, read_move
from engine.carnavalesco.outlook import rows_in_reach
from engine.carnavalesco.play import counters_for, play, sample_take, takes
from engine.carnavalesco.positions import score_positions
from engine.carnavalesco.setup import DEFAULT_COLOURS, read_setup
from engine.carnavalesco.solo import ladder_sentence, points
from engine.carnavalesco.state import State, first_state
from engine.carnavalesco.tally import ranking, reveal, tie_sentence
from engine.dice import Die, Shape
from engine.game import Below, Expectation, Game, InvalidInput, Move, Outcome, Place, Prompt
from engine.rules import HouseRule
from engine.words import joined, listed, named, row, say, say_many


class Carnavalesco(Game[State]):
    """One to four samba schools (five with the extra board) draft dice for nine elements."""

    key = "carnavalesco"
    name = "Carnavalesco"
    moves = MOVES

    def setup(self, setup: Mapping[str, Any]) -> State:
        return first_state(read_setup(setup))

    def seats(self, state: State) -> Sequence[str]:
        return [school.name for school in state.setup.schools]

    def prompt(self, state: State) -> Prompt:
        match state.phase:
            case "roll":
                return _prompt_roll(state)
            case "take":
                return _prompt_take(state)
            case "judging":
                return _prompt_base(state)
            case "between":
                return _prompt_between(state)
            case _:
                outcome = self.outcome(state)
                return Prompt("finished", outcome.text if outcome else "", why=say("Every board is full and judged."))

    def expects(self, state: State) -> Expectation | None:
        if state.phase != "roll":
            return None
        count = draw(state.setup.seats)
        purpose = say(
            "Round {round} of {rounds}: {count} dice from the bag.",
            round=state.round,
            rounds=state.rounds,
            count=count,
        )
        return Expectation({Shape.D6: count}, state.left_in_bag(), purpose)

    def roll_move(self, state: State, dice: Sequence[Die], places: Sequence[Place] | None = None) -> Move:
        return {"move": "roll", "dice": [_rolled(die) for die in dice]}

    def legal_moves(self, state: State) -> Iterator[Move]:
        """Yield every legal take, or what can follow a parade; rolls, strips and typed bases come from outside."""
        for take in takes(state):
            yield take.as_json()
        if not state.picks and state.phase == "between":
            yield {"move": "next_parade"}
            yield {"move": "retire"}

    def apply(self, state: State, move: Move) -> State:
        return play(state, read_move(move, state.setup))

    def stands(self, before: State, move: Move, now: State) -> Move:
        """Return `move`; a base whose element has another sum by now stays in the log as outdated."""
        total = move.get("sum")
        if move.get("move") != "base" or total is None:
            return move
        plain = {key: value for key, value in move.items() if key != "outdated"}
        there = sum(die.value for die in now.boards[move["seat"]].dice(move["element"]))
        return plain if total == there else {**plain, "outdated": True}

    def actor(self, state: State, move: Move) -> int | None:
        read = read_move(move, state.setup)
        if isinstance(read, NextParade | Retire):
            return 0
        return read.seat if isinstance(read, Take) else None

    def describe(self, state: State, move: Move) -> str:
        read = read_move(move, state.setup)
        names = self.seats(state)
        match read:
            case Roll():
                return say(
                    "{name} rolled {count} dice: {dice}.",
                    name=names[state.first],
                    count=len(read.dice),
                    dice=_by_colour(read.dice),
                )
            case Take():
                return _describe_take(state, read)
            case CopyStrip():
                return say("The printed strip of division {division} was copied.", division=read.division)
            case TypeBase():
                values = {"name": names[read.seat], "element": ELEMENT_NAMES[read.element]}
                if read.base is None:
                    return say("The base typed for {name} in {element} was taken back.", **values)
                return say("The base of {name} in {element} was typed by hand: {base}.", base=read.base, **values)
            case NextParade():
                return say(
                    "{name} begins parade {number}, in division {division}. All dice go back into the bag.",
                    name=names[0],
                    number=len(state.parades) + 2,
                    division=state.parade_of(state.tallies()[0]).outcome.next_division,
                )
            case Retire():
                return say("{name} ends its career.", name=names[0])

    def correct(self, move: Move, die: int, to: Die) -> Move:
        if move.get("move") != "roll":
            raise InvalidInput(
                "not_a_roll", say("Only a die of a roll can be corrected. Undo the move instead."), "move"
            )
        dice = list(fields.entries(move.get("dice"), "dice", of=say("dice")))
        at = fields.whole(die, "die", low=0, high=len(dice) - 1, what=say("A die's number in the roll"))
        dice[at] = _rolled(to)
        return {"move": "roll", "dice": dice}

    def scoreboard(self, state: State) -> dict[str, Any]:
        tallies = state.tallies()
        return {
            "players": [one.as_json() for one in tallies],
            "ranking": [[tallies[at].name for at in group] for group in ranking(tallies)],
            "reveal": reveal(tallies) if state.phase in ("between", "finished") else None,
            "career": state.career_json(),
        }

    def outcome(self, state: State) -> Outcome | None:
        if state.phase != "finished":
            return None
        tallies = state.tallies()
        groups = ranking(tallies)
        best = [tallies[at] for at in groups[0]]
        detail: dict[str, Any] = {"totals": [one.total for one in tallies], "solo_result": None}
        if state.setup.solo is not None:
            parade = state.parade_of(best[0])
            text = ladder_sentence(best[0].name, parade.total, parade.division)
            detail["solo_result"] = parade.outcome.as_json()
            if state.setup.solo.career is not None:
                text = joined(text, career_sentence(best[0].name, state.history()))
        elif len(best) > 1:
            names = listed([one.name for one in best])
            text = say("{names} share the victory with {points} each.", names=names, points=points(best[0].total))
        else:
            wins = say("{name} wins with {points}.", name=best[0].name, points=points(best[0].total))
            text = joined(wins, tie_sentence(tallies, groups))
        return Outcome(tuple(tuple(group) for group in groups), text, detail)

    def view(self, state: State) -> dict[str, Any]:
        setup = state.setup
        return {
            "phase": state.phase,
            "round": state.round,
            "rounds": state.rounds,
            "first": state.first,
            "turn": state.turn,
            "order": list(state.order),
            "picks": list(state.picks),
            "take": dice_a_pick(setup.seats),
            "roll": [
                {
                    **fields.die_json(die),
                    "taken_by": taken.seat if taken else None,
                    "element": taken.element if taken else None,
                }
                for die, taken in zip(state.roll, state.taken, strict=True)
            ],
            "colours": list(setup.colours),
            "solo": setup.solo.as_json() if setup.solo else None,
            "house_rules": setup.rules.as_json(),
            "strips": [division for division, _ in setup.strips],
            "notes": setup.notes(),
            "parade": len(state.parades) + 1,
            "bag": bag_json(state),
            "players": [
                {
                    "name": school.name,
                    "division": school.division,
                    "table": school.table,
                    "counters": state.counters[seat],
                    "elements": state.boards[seat].as_json(),
                    "bases": state.bases(seat),
                    "placed": state.boards[seat].placed,
                    "reach": rows_in_reach(state.boards[seat], state.jury(seat)),
                }
                for seat, school in enumerate(setup.schools)
            ],
        }

    @property
    def house_rules(self) -> Sequence[HouseRule]:
        return RULES

    def house_rules_in(self, setup: Mapping[str, Any]) -> dict[str, str | int]:
        rules = super().house_rules_in(setup)
        return {**rules, "seats.max": 5} if setup.get("extra_board") else rules

    def score(self, document: Mapping[str, Any]) -> dict[str, Any]:
        return score_positions(document)

    def sample_setup(self, players: int) -> Mapping[str, Any]:
        """Return a setup on practice strips, which need nothing copied or typed."""
        schools = [{"name": f"School {seat + 1}", "table": "practice"} for seat in range(players)]
        setup: dict[str, Any] = {"players": schools}
        if players == 1:
            setup["solo"] = {"colours": list(DEFAULT_COLOURS[:2]), "career": {"parades": 3}}
        if players > 4:
            setup["house_rules"] = {"seats.max": players}
        return setup

    def sample_move(self, state: State, below: Below) -> Move | None:
        take = sample_take(state, below)
        return super().sample_move(state, below) if take is None else take.as_json()

    def dump(self, state: State) -> str:
        return states.dump(state)

    def load(self, text: str) -> State:
        return states.load(text)


def _rolled(die: Die) -> dict[str, Any]:
    """Return a rolled die as it stands in a move; a shape that is no d6 is kept, to be refused by name."""
    return fields.die_json(die) | ({} if die.shape is Shape.D6 else {"shape": die.shape.value})


def _prompt_roll(state: State) -> Prompt:
    first = state.setup.schools[state.first].name
    marker: str = ""
    if state.round == 1:
        marker = say("{name} has the first player marker.", name=first)
    elif state.setup.seats > 1:
        marker = say("The marker went to the right: the last to pick begins, and that is {name}.", name=first)
    text = say("{name} draws {count} dice from the bag and rolls them.", name=first, count=draw(state.setup.seats))
    why = joined(say("Round {round} of {rounds}.", round=state.round, rounds=state.rounds), marker)
    return Prompt("roll", text, state.first, why)


def _prompt_take(state: State) -> Prompt:
    seat = state.turn
    assert seat is not None
    number = SEVERAL[dice_a_pick(state.setup.seats)]
    if len(state.order) > 1:
        why = say(
            "Round {round} of {rounds}, pick {pick} of {picks}.",
            round=state.round,
            rounds=state.rounds,
            pick=state.picks_made + 1,
            picks=len(state.order),
        )
    else:
        why = say("Round {round} of {rounds}.", round=state.round, rounds=state.rounds)
    if len(state.picks) > 1:
        why = joined(why, say("Then {names}.", names=row(state.setup.schools[at].name for at in state.picks[1:])))
    text = say("{name} takes {number} dice and places them.", name=state.setup.schools[seat].name, number=number)
    return Prompt("take", text, seat, why)


def _prompt_base(state: State) -> Prompt:
    """Ask for a strip when one would do, else for the first base that is missing."""
    waiting = [
        (seat, mark.element) for seat, one in enumerate(state.tallies()) for mark in one.marks if mark.base_missing
    ]
    seat, element = waiting[0]
    school = state.setup.schools[seat]
    why = say_many(
        "All dice are placed; {count} base mark is still missing for the tally.",
        "All dice are placed; {count} base marks are still missing for the tally.",
        len(waiting),
    )
    if school.table == "user":
        text = say(
            "Copy the printed strip of division {division}, or type the bases of {name} by hand.",
            division=school.division,
            name=school.name,
        )
        return Prompt("strip", text, None, why)
    total = sum(die.value for die in state.boards[seat].dice(element))
    text = say(
        "Type the base of {name} in {element}: sum {sum} on the strip of division {division}.",
        name=school.name,
        element=ELEMENT_NAMES[element],
        sum=total,
        division=school.division,
    )
    return Prompt("base", text, seat, why)


def _prompt_between(state: State) -> Prompt:
    name = state.setup.schools[0].name
    parade = state.parade_of(state.tallies()[0])
    text = say(
        "{name} goes on to parade {number}, in division {division}, or ends its career.",
        name=name,
        number=len(state.parades) + 2,
        division=parade.outcome.next_division,
    )
    return Prompt("next_parade", text, 0, ladder_sentence(name, parade.total, parade.division))


def _by_colour(dice: Sequence[Die]) -> str:
    """Return the dice in words, colour by colour: `red 1 3 3, blue 5`."""
    colours: Iterable[str] = dict.fromkeys(die.colour for die in dice)
    return row(
        say(
            "{colour} {value}",
            colour=named(colour),
            value=" ".join(str(value) for value in sorted(die.value for die in dice if die.colour == colour)),
        )
        for colour in colours
    )


def _describe_take(state: State, move: Take) -> str:
    """Return `Ana took red 3 for Harmony and blue 5 for Drums.`"""
    places = [
        say("{die} for {element}", die=label(state.roll[place.die]), element=ELEMENT_NAMES[place.element])
        for place in move.places
    ]
    took = say("{name} took {places}.", name=state.setup.schools[move.seat].name, places=listed(places))
    broken = counters_for(state, move)
    if not broken:
        return took
    counters = say_many(
        "{count} of the -1 counters for {reasons}.",
        "{count} of the -1 counters for {reasons}.",
        len(broken),
        reasons=listed(broken),
    )
    return joined(took, counters)
