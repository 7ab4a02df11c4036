"""Every sentence that Carnavalesco can say: whole games, final boards, strips and all complaints, by seeded chance."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine.carnavalesco import ELEMENT_NAMES, ELEMENTS, RULES, practice_strip, validate_strip
from engine.carnavalesco.career import FLAG_LAYOUTS
from engine.carnavalesco.division import strip_json
from engine.carnavalesco.state import State
from engine.dice import Die, Shape
from engine.score import score_document
from tests.engine.carnavalesco.parade import (
    ALL_PERFECT,
    FLAT_STRIP,
    GAME,
    board,
    document,
    elements_json,
    playout,
    rolled,
    setup,
)
from tests.engine.heard import Said

JUNK = (None, True, -1, 0, 3, 9, 99, 1.5, "", "x", "red", "drums", "D", [], [1], {}, "y" * 99)
"""What a field is changed to."""


class Heard(Said):
    """What Carnavalesco said."""

    def looks(self, state: State) -> None:
        """Keep what is said of `state`."""
        expects, outcome = GAME.expects(state), GAME.outcome(state)
        self.hear("prompt", GAME.prompt(state).as_json())
        self.hear("expects", expects and expects.as_json())
        self.hear("notes", state.setup.notes())
        self.hear("scoreboard", GAME.scoreboard(state))
        self.hear("outcome", outcome and outcome.as_json())

    def makes(self, state: State, move: Any) -> State | None:
        """Return the state after `move`, or None when it is refused; keep what is said of it."""
        kind = str(move.get("move")) if isinstance(move, Mapping) else "move"
        new: State | None = self.tries(kind, lambda: GAME.apply(state, move))
        if new is not None:
            self.hear("describe", GAME.describe(state, move))
            self.looks(new)
        return new


def everything() -> Heard:
    """Return all that can be heard."""
    heard = Heard()
    heard.hear("house rules", [rule.as_json() for rule in RULES])
    heard.hear("flags", [layout.text for layout in FLAG_LAYOUTS.values()])
    heard.hear("elements", ELEMENT_NAMES)
    for number, start in enumerate(starts()):
        _play(heard, start, number)
    _careers(heard)
    _ends(heard)
    _refusals(heard)
    _setups(heard)
    _scores(heard)
    _strips(heard)
    return heard


def starts() -> Iterator[dict[str, Any]]:
    """Yield setups of every kind of table."""
    for seats in (1, 2, 3, 4, 5):
        yield setup(seats, extra_board=seats > 4)
    for value in (1, 2):
        yield setup(
            2, house_rules={rule.key: list(rule.values)[-1] for rule in RULES if value == 1 or "song" in rule.key}
        )
    players = [{"name": "Ana", "division": "S", "table": "manual"}, {"name": "Bia", "division": "A"}, {"name": "Caio"}]
    yield {"players": players, "division_tables": {"D": FLAT_STRIP}, "first": 2}


def _play(heard: Heard, start: Mapping[str, Any], seed: int) -> None:
    """Play a whole game, and try moves of it that are changed by chance, and out of time."""
    chance = random.Random(seed)
    moves: list[Mapping[str, Any]] = []
    state = GAME.setup(start)
    for number, (state, move) in enumerate(playout(start, seed)):
        if number % 5 == 0 or not move:
            heard.looks(state)
        if move:
            moves.append(move)
            heard.hear("describe", GAME.describe(state, move))
        wrong = changed(chance.choice(moves), chance)
        heard.tries(str(wrong.get("move")), lambda state=state, wrong=wrong: GAME.apply(state, wrong) and None)
    for seat, one in enumerate(state.tallies()):
        for mark in one.marks:
            if mark.base_missing:
                base = {"move": "base", "seat": seat, "element": mark.element, "base": 5}
                state = heard.makes(state, base) or state
                heard.makes(state, {**base, "base": None})


def changed(value: Any, chance: random.Random) -> Any:
    """Return a JSON object with one thing in it changed, taken away or added."""
    whole = copy.deepcopy(value)
    at = whole
    while True:
        key = chance.choice(list(at) if isinstance(at, dict) else range(len(at)))
        if not (isinstance(at[key], dict | list) and at[key]) or chance.random() < 0.2:
            break
        at = at[key]
    kind = chance.choice(["change", "change", "change", "take away", "add"])
    if kind == "change" or isinstance(at, list):
        at[key] = chance.choice(JUNK)
    elif kind == "take away":
        del at[key]
    else:
        at["hat"] = 1
    return whole


def full(elements: Mapping[str, str], **more: Any) -> State:
    """Return the state of schools that all have a board that holds these elements, with no counters."""
    start = GAME.setup(setup(**{"seats": 1, **more}))
    seats = start.setup.seats
    return replace(start, boards=(board(**elements),) * seats, round=start.rounds)


POOR = dict.fromkeys(ELEMENTS, "R1B1G2W2")
"""A board that earns nothing much."""

NEARLY = {**ALL_PERFECT, "vanguard": "R1R3R4B5"}
"""Eight perfect marks, and three dice of one colour."""


def _careers(heard: Heard) -> None:
    for division in "DCBAS":
        school = {"name": "Ana", "division": division}
        for elements, base in ((ALL_PERFECT, 5), (NEARLY, 6), (NEARLY, 5), (NEARLY, 2), (POOR, 1)):
            for career in (None, {}, {"parades": 1}, {"parades": 2}):
                strips = {division: dict.fromkeys(FLAT_STRIP, base)}
                solo = {"colours": ["red", "blue"], "career": career}
                state = full(elements, players=[school], division_tables=strips, solo=solo)
                heard.looks(state)
                for move in ("retire", "next_parade"):
                    new = heard.makes(state, {"move": move})
                if new is not None:
                    heard.makes(new, {"move": move})
                    new = replace(new, boards=state.boards)
                    heard.looks(new)
                    heard.makes(new, {"move": "retire"})
    waiting = full(POOR, players=[{"name": "Ana"}], solo={"colours": ["red", "blue"], "career": {}})
    heard.makes(waiting, {"move": "next_parade"})
    heard.makes(GAME.setup(setup(1)), {"move": "next_parade"})
    heard.makes(waiting, rolled(GAME.setup(setup(1)), random.Random(1)))
    heard.makes(waiting, {"move": "strip", "division": "D", "numbers": FLAT_STRIP})


def _ends(heard: Heard) -> None:
    """Hear how games of several schools end, and what breaks their ties."""
    heard.looks(full(ALL_PERFECT, seats=2))
    blue, white = {**ALL_PERFECT, "harmony": "B6B6B6B6", "storyline": "R3B3G3B6"}, ALL_PERFECT
    worse = {**NEARLY, "theme_song": "W1W2W3R3"}
    couple = {**NEARLY, "flag_bearers": "R2R2B3B5"}
    strips = {"D": FLAT_STRIP, "S": dict.fromkeys(FLAT_STRIP, 7)}
    for boards in ((blue, white), (ALL_PERFECT, NEARLY), (couple, worse), (ALL_PERFECT, blue, white, worse, couple)):
        start = setup(len(boards), extra_board=True, division_tables=strips)
        start["players"] = [
            {**one, "table": "user", "division": "DS"[at % 2]} for at, one in enumerate(start["players"])
        ]
        state = full(ALL_PERFECT, seats=len(boards), **start)
        heard.looks(replace(state, boards=tuple(board(**elements) for elements in boards)))
    couple_only = ({**POOR, "flag_bearers": "R2R4B3B5"}, {**POOR, "vanguard": "R6R6R6B1"})
    state = full(POOR, seats=2, players=[{"name": "Ana"}, {"name": "Bia"}], division_tables=strips)
    heard.looks(replace(state, boards=tuple(board(**elements) for elements in couple_only)))
    one = setup(1, solo={"colours": ["red", "blue"]}, players=[{"name": "Ana"}])
    heard.looks(replace(full(POOR, **one, division_tables={"D": dict.fromkeys(FLAT_STRIP, 0)}), counters=(7,)))
    alike = GAME.setup(setup(1))
    alike = GAME.apply(alike, GAME.roll_move(alike, [Die("red", 3)] * 8))
    for elements in (["drums"] * 4, ["drums", "drums", "harmony", "harmony"]):
        places = [{"die": at, "element": element} for at, element in enumerate(elements)]
        heard.makes(alike, {"move": "take", "seat": 0, "places": places})
    twos = GAME.setup(setup(1))
    twos = GAME.apply(twos, GAME.roll_move(twos, [Die("red", 3), Die("red", 4), Die("blue", 4), Die("blue", 1)] * 2))
    heard.makes(twos, {"move": "take", "seat": 0, "places": [{"die": at, "element": "drums"} for at in range(4)]})


def _refusals(heard: Heard) -> None:
    """Hear each complaint about a move that its own rule makes."""
    fresh = GAME.setup(setup(2))
    state = GAME.apply(fresh, rolled(fresh, random.Random(5)))

    def take(*places: tuple[int, str], seat: int = 0) -> dict[str, Any]:
        return {"move": "take", "seat": seat, "places": [{"die": die, "element": el} for die, el in places]}

    heard.makes(state, take((0, "drums"), (0, "drums")))
    heard.makes(state, take((0, "drums"), (50, "drums")))
    heard.makes(state, take((0, "drums"), (1, "drums"), seat=1))
    heard.makes(state, take((0, "drums")))
    once = GAME.apply(state, take((0, "drums"), (1, "drums")))
    heard.makes(once, take((0, "drums"), (2, "drums"), seat=1))
    spaced = take((2, "drums"), (3, "drums"), seat=1)
    spaced["places"][0]["space"] = spaced["places"][1]["space"] = 1
    heard.makes(once, spaced)
    crowded = GAME.apply(GAME.apply(once, take((2, "drums"), (3, "drums"), seat=1)), take((4, "drums"), (5, "drums")))
    crowded = GAME.apply(crowded, take((6, "drums"), (7, "drums"), seat=1))
    crowded = GAME.apply(crowded, rolled(crowded, random.Random(5)))
    heard.makes(crowded, take((0, "drums"), (1, "drums"), seat=1))
    base = {"move": "base", "seat": 0, "element": "drums"}
    heard.makes(crowded, {**base, "base": 4})
    heard.makes(crowded, {**base, "base": 4, "sum": 24})
    heard.makes(crowded, {**base, "base": None})
    heard.makes(full(POOR), take((0, "drums"), (1, "drums"), (2, "drums"), (3, "drums")))
    heard.makes(fresh, {**base, "base": 4})
    heard.tries("correct", lambda: GAME.correct(take((0, "drums")), 0, Die("red", 1)))
    heard.tries("correct", lambda: GAME.correct(rolled(fresh, random.Random(1)), 12, Die("red", 1)))
    heard.makes(fresh, GAME.roll_move(fresh, [Die("red", 17, Shape.D20)]))
    heard.makes(fresh, GAME.roll_move(fresh, [Die("brown", 1)] * 12))
    heard.makes(fresh, {**base, "base": 4, "sum": 2})
    far = take((0, "drums"), (1, "drums"))
    far["places"][0]["space"] = 4
    heard.makes(state, far)
    heard.makes(state, [])
    heard.makes(fresh, GAME.roll_move(fresh, [Die("red", 1)]))
    heard.tries("load", lambda: GAME.load("{}"))
    career = full(ALL_PERFECT, solo={"colours": ["red", "blue"], "career": {}})
    career = GAME.apply(career, {"move": "next_parade"})
    tampered = (
        ('"round":1', '"round":99'),
        ('"picks_made":0', '"picks_made":9'),
        ('"counters":[0]', '"counters":[28]'),
        ("[10,10,10,10,10,10,10,10,10],9,0", "[11,10,10,10,10,10,10,10,10],9,0"),
        ("[10,10,10,10,10,10,10,10,10],9,0", "[10,10,10,10,10,10,10,10,10],10,0"),
        ("[10,10,10,10,10,10,10,10,10],9,0", "[10,10,10,10,10,10,10,10,10],9,28"),
        ('"first":0', '"first":1'),
    )
    for old, new in tampered:
        heard.tries("load", lambda old=old, new=new: GAME.load(GAME.dump(career).replace(old, new)) and None)
    typed = GAME.apply(full(POOR, players=[{"name": "Ana", "table": "manual"}]), {**base, "base": 4})
    heard.tries("load", lambda: GAME.load(GAME.dump(typed).replace("[4,6]", "[4,3]")) and None)
    heard.tries("load", lambda: GAME.load(GAME.dump(typed).replace("[4,6]", "[11,6]")) and None)


def _setups(heard: Heard) -> None:
    chance = random.Random(3)
    flag = {"layout": "bands", "colours": ["red", "blue", "pink"]}
    solo = {"colours": ["red", "blue"], "career": {"parades": 3}, "flag": flag}
    whole = {**setup(3), "colours": ["red", "yellow", "green", "blue", "white", "black"], "first": 1}
    whole |= {"division_tables": {"D": FLAT_STRIP}, "house_rules": {"song.mode": "uniform"}, "extra_board": True}
    for start in [whole, setup(1, solo=solo)] * 150:
        wrong = changed(start, chance)
        heard.tries("setup", lambda wrong=wrong: GAME.setup(wrong) and None)
    heard.tries("setup", lambda: GAME.setup(setup(1, solo={"colours": ["red"]})))
    for colours in (["red"] * 6, ["red", "blue"], "red"):
        heard.tries("setup", lambda colours=colours: GAME.setup(setup(2, colours=colours)))
    heard.tries("setup", lambda: GAME.setup(setup(1, solo=None)))
    heard.tries("setup", lambda: GAME.setup(setup(2, solo={"colours": ["red", "blue"]})))
    heard.tries("setup", lambda: GAME.setup(setup(5)))
    heard.tries("setup", lambda: GAME.setup({"players": []}))
    heard.tries("setup", lambda: GAME.setup(setup(5, players=[{"name": str(at)} for at in range(6)], extra_board=True)))
    heard.tries("setup", lambda: GAME.setup({"players": [{"name": "Ana"}, {"name": "ana"}]}))
    heard.tries("setup", lambda: GAME.setup(setup(2, house_rules={"seats.max": 4}, extra_board=True)))
    heard.tries("setup", lambda: GAME.setup(setup(1, solo={**solo, "flag": {"layout": "rays", "colours": ["red"]}})))


def _scores(heard: Heard) -> None:
    chance = random.Random(4)
    school = {"name": "Ana", "counters": 1, "table": "user", "bases": {"drums": 4}}
    for whole in [document(school, {"name": "Bia"}), document(school, solo={"colours": ["red", "blue"]})] * 150:
        wrong = changed(whole, chance)
        heard.tries("score", lambda wrong=wrong: score_document(wrong))
    for table in ("user", "manual"):
        bare = document({"name": "Ana", "table": table, "elements": POOR}, division_tables={})
        heard.tries("score", lambda bare=bare: score_document(bare))
    twins = dict.fromkeys(ELEMENTS, "R1Y1R1Y1") | {"storyline": "R1R1R1W2", "floats": "W2W3W4W5"}
    twins |= {"flag_bearers": "R3R3B2B4", "costumes": "R1R1G6G6"} | dict.fromkeys(ELEMENTS[5:], "Y1Y1Y1Y1")
    for rules in ({}, {"storyline.twin": "physical"}):
        story = document({"name": "Ana", "elements": {**twins, "vanguard": "Y1Y1Y1Y1"}}, house_rules=rules)
        heard.tries("score", lambda story=story: score_document(story))
    for story in ("R1R3R4R5", "R1B3R1B3", "R1B3G4R1", "R1B3G4Y5", "R1R1R1R1"):
        told = dict.fromkeys(ELEMENTS, "W2W2W2W2" if story == "R1R1R1R1" else story)
        told |= {"storyline": story, "vanguard": story}
        both = document({"name": "Ana", "elements": told}, house_rules={"storyline.different": "both"})
        heard.tries("score", lambda both=both: score_document(both))
    for song in ("K1R1R1R1", "R2R1R1R1", "K1K2R1R1", "R2R3R1R1"):
        sung = dict.fromkeys(ELEMENTS, "R1R1R1R1") | {"theme_song": song}
        alike = document({"name": "Ana", "elements": sung}, house_rules={"song.mode": "uniform"})
        heard.tries("score", lambda alike=alike: score_document(alike))
    for wrong in ("hat", "drums"):
        given = document(school)
        given["players"][0]["elements"][wrong] = [{"colour": "red", "value": 1}]
        heard.tries("score", lambda given=given: score_document(given))
    coloured = document(school)
    coloured["players"][0]["elements"] = elements_json(ALL_PERFECT | {"drums": "K1Y1K1Y1"})
    coloured["players"][0]["elements"]["harmony"] = [{"colour": "pink", "value": 1}] * 4
    heard.tries("score", lambda: score_document(coloured))
    for rules in ({}, {rule.key: list(rule.values)[-1] for rule in RULES}):
        for seed in range(150):
            few, pick = random.Random(seed), random.Random(seed + 1)
            letters, high = few.sample("RYGBWK", few.choice([1, 2, 3, 6])), few.choice([2, 4, 6])
            elements = {
                el: "".join(f"{pick.choice(letters)}{pick.randint(1, high)}" for _ in range(4)) for el in ELEMENTS
            }
            near = {**ALL_PERFECT, **{el: elements[el] for el in pick.sample(ELEMENTS, 2)}}
            for here in (elements, near):
                given = document({"name": "Ana", "elements": here, "bases": {"floats": 9}}, house_rules=rules)
                heard.tries("score", lambda given=given: score_document(given))


def _strips(heard: Heard) -> None:
    practice = {letter: strip_json(practice_strip(letter)) for letter in "DCBAS"}
    falling = {**practice["D"], "20": 0}
    heard.hear("strips", validate_strip(falling, "D", {"C": practice["C"]}))
    heard.hear("strips", validate_strip(practice["C"], "D", practice))
    heard.hear("strips", validate_strip(practice["D"], "A", practice))
    heard.hear("strips", validate_strip({**practice["D"], "17": 5}, "D", {**practice, "C": {**practice["C"], "17": 6}}))
