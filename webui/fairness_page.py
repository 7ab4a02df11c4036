"""Whether the table's dice are fair, and who was lucky: every roll that was confirmed, held against chance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, request

from engine.dice import Die
from engine.fairness import EXCESS, FEWEST_DICE, FEWEST_PER_FACE, LEVEL, Face, Judged, Luck, Verdict, judged, luck
from engine.rolls import DEMO, Roll
from engine.words import say, say_many
from webui.charts import faces_plot
from webui.drawing import kind_of_die
from webui.palette import Look, palette
from webui.play_page import shown
from webui.roles import Role, needs
from webui.services import services
from webui.words import language, number, told_here

blueprint = Blueprint("fairness", __name__)

FIRST = (Verdict.UNEVEN, Verdict.DOUBTFUL, Verdict.EVEN, Verdict.TOO_FEW)
"""In which order dice are shown."""


@blueprint.get("/fairness")
@needs(Role.LOOK)
def page() -> str:
    """Show how often each face of each kind of die came up, what that says, and everybody's luck."""
    table = services().table
    every = services().past.rolls()
    demo = "demo" in request.args
    counted = [roll for roll in every if not roll.again and (roll.source == DEMO) == demo]
    kinds = judged(die for roll in counted for die in roll.dice)
    looks = palette([kind.colour for kind in kinds], table.tints, language=language())
    tested = sum(kind.chance is not None for kind in kinds)
    kinds.sort(key=lambda kind: FIRST.index(kind.verdict))
    return shown(
        "fairness.html",
        summary=told_here(_summary(kinds)),
        kinds=[_told(kind, looks[kind.colour], tested) for kind in kinds],
        counts=_counts(every, counted),
        luck=_luck(counted, {game["id"]: game["players"] for game in table.games()}),
        demo=demo,
        every_demo=any(roll.source == DEMO for roll in every),
        demo_apart=told_here(
            say_many(
                "{count} roll of the demo does not count: no dice were thrown for it.",
                "{count} rolls of the demo do not count: no dice were thrown for them.",
                sum(roll.source == DEMO and not roll.again for roll in every),
            )
        ),
        level=percent(LEVEL),
        fewest=FEWEST_PER_FACE,
    )


def _summary(kinds: Sequence[Judged]) -> str:
    """Return in a sentence what is known of all dice."""
    if not kinds:
        return say("No roll was confirmed yet, so there is nothing to tell. Play, and come back.")
    tested = [kind for kind in kinds if kind.chance is not None]
    if not tested:
        return say(
            "Too few rolls to tell anything yet: each face has to be due {fewest} times before a die can be judged.",
            fewest=FEWEST_PER_FACE,
        )
    odd = sum(kind.verdict in (Verdict.DOUBTFUL, Verdict.UNEVEN) for kind in tested)
    if odd:
        return say_many(
            "{count} kind of die looks uneven, of {tested} that can be judged.",
            "{count} kinds of dice look uneven, of {tested} that can be judged.",
            odd,
            tested=len(tested),
        )
    return say_many(
        "The one kind of die that can be judged shows no sign of being uneven.",
        "None of the {count} kinds of dice that can be judged shows a sign of being uneven.",
        len(tested),
    )


def _told(kind: Judged, look: Look, tested: int) -> dict[str, Any]:
    """Return one kind of die as the page shows it."""
    values = {"colour": look.word, "shape": kind.shape.value}
    name = told_here(say("{colour} {shape}", **values))
    rows = [
        (face.value, face.count, percent(face.count / kind.thrown), percent(face.low), percent(face.high))
        for face in kind.faces
    ]
    counts = ", ".join(f"{face.value}: {face.count}" for face in kind.faces)
    return {
        "name": name,
        "key": f"{kind.colour} {kind.shape.value}",
        "picture": kind_of_die(kind.shape.value, look),
        "thrown": told_here(say_many("{count} throw", "{count} throws", kind.thrown)),
        "verdict": kind.verdict.value.replace(" ", "-"),
        "words": [told_here(sentence) for sentence in words(kind, tested)],
        "rows": rows,
        "plot": faces_plot(
            kind,
            look,
            title=told_here(say("How often each face came up: {die}", die=name)),
            description=told_here(say("{count} throws. {counts}.", count=kind.thrown, counts=counts)),
        ),
    }


def words(kind: Judged, tested: int) -> list[str]:
    """Return what the counts say of a die, how sure that is, and what it would take to know more."""
    fault = percent(EXCESS)
    if kind.chance is None or kind.adjusted is None:
        return [
            say_many("Too few to tell: {count} throw.", "Too few to tell: {count} throws.", kind.thrown),
            say(
                "{needed} throws are needed to see, in four of five such dice, that one face comes {fault} too often.",
                needed=kind.needed,
                fault=fault,
            ),
        ]
    if kind.verdict is Verdict.EVEN:
        chance = percent(kind.chance)
        if kind.chance > LEVEL:
            first = say(
                "No sign of being uneven. Fair dice come out at least like this in {chance} of cases.", chance=chance
            )
        else:
            first = say(
                "No clear sign of being uneven. Fair dice come out like this in {chance} of cases.", chance=chance
            )
        told: list[str] = [first]
    elif kind.verdict is Verdict.DOUBTFUL:
        chance = percent(kind.adjusted)
        told = [
            say("Doubtful. Fair dice come out like this in {chance} of cases. Throw on, and look again.", chance=chance)
        ]
    else:
        chance = percent(kind.adjusted)
        told = [say("Uneven. Fair dice come out like this in {chance} of cases.", chance=chance)]
    if kind.verdict is not Verdict.EVEN:
        odd = max(kind.faces, key=lambda face: abs(face.count - kind.thrown / len(kind.faces)))
        told.append(_odd_face(kind, odd))
    if tested > 1 and kind.chance <= LEVEL:
        told.append(_tested_at_once(kind, tested))
    told.append(
        say(
            "{count} throws show, in four of five such dice, a face that comes {visible} too often; less stays hidden.",
            count=kind.thrown,
            visible=percent(kind.visible),
        )
    )
    if kind.thrown < kind.needed:
        told.append(say("For {fault} it takes {needed}.", fault=fault, needed=kind.needed))
    return told


def _tested_at_once(kind: Judged, tested: int) -> str:
    """Return what it means for a die that others were tested beside it."""
    assert kind.chance is not None
    assert kind.adjusted is not None
    if kind.verdict is Verdict.EVEN:
        return say(
            "Alone that would be doubtful. But {tested} kinds are tested at once; allowing for that it is {chance}.",
            tested=tested,
            chance=percent(kind.adjusted),
        )
    return say(
        "That allows for {tested} kinds tested at once; for this one alone it would be {chance}.",
        tested=tested,
        chance=percent(kind.chance),
    )


def _odd_face(kind: Judged, face: Face) -> str:
    return say(
        "What stands out: the {value} came {count} times, where {fair} were due.",
        value=face.value,
        count=face.count,
        fair=number(round(kind.thrown / len(kind.faces), 1)),
    )


def _counts(every: Sequence[Roll], counted: Sequence[Roll]) -> dict[str, int]:
    """Return how many rolls and dice count, and why others do not."""
    return {
        "rolls": len(counted),
        "dice": sum(len(roll.dice) for roll in counted),
        "undone": sum(roll.undone for roll in counted),
        "typed": sum(not roll.pictured for roll in counted),
        "again": sum(roll.again for roll in every),
    }


def _luck(counted: Sequence[Roll], players: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    thrown: dict[str, list[Die]] = defaultdict(list)
    for roll in counted:
        if roll.seat is not None and roll.game_id in players:
            thrown[players[roll.game_id][roll.seat]] += roll.dice
    few = [f"{name} ({len(dice)})" for name, dice in sorted(thrown.items()) if len(dice) < FEWEST_DICE]
    told = [
        {"words": told_here(luck_in_words(one)), "figures": told_here(luck_in_figures(one))} for one in luck(thrown)
    ]
    if few:
        words = say("Too few dice to tell: {names}. It takes {most}.", names=", ".join(few), most=FEWEST_DICE)
        told.append({"words": told_here(words), "figures": ""})
    return told


def luck_in_figures(one: Luck) -> str:
    """Return what somebody threw, what was due, and how far chance alone leads."""
    ahead = round(one.ahead, 2) or 0
    return say(
        "{dice} dice, {total} in all, where {expected} were due: {ahead} a die. "
        "Chance alone: up to {margin} either way, 19 times of 20.",
        dice=number(one.dice),
        total=number(one.total),
        expected=number(one.expected),
        ahead=("+" if ahead > 0 else "") + number(ahead),
        margin=f"±{number(round(one.margin, 2))}",
    )


def luck_in_words(one: Luck) -> str:
    """Return somebody's luck as a sentence."""
    values = {"name": one.name, "dice": one.dice, "chance": percent(one.adjusted)}
    far = abs(one.ahead) > one.margin
    if one.adjusted <= LEVEL and one.ahead > 0:
        return say("{name} throws high: of people with fair dice, {chance} are so far off.", **values)
    if one.adjusted <= LEVEL:
        return say("{name} throws low: of people with fair dice, {chance} are so far off.", **values)
    if far and one.ahead > 0:
        return say("{name} was lucky. Among so many people somebody is so in {chance} of cases.", **values)
    if far:
        return say("{name} was unlucky. Among so many people somebody is so in {chance} of cases.", **values)
    if abs(one.ahead) < one.margin / 2:
        return say("{name} throws as chance would have it.", **values)
    if one.ahead > 0:
        return say("{name} was a little lucky, nothing that chance does not do.", **values)
    return say("{name} was a little unlucky, nothing that chance does not do.", **values)


def percent(share: float) -> str:
    """Return a share (0..1) in per cent, with a place after the point where it is small."""
    if 0 < share < 0.001:
        return say("less than {share}", share=percent(0.001))
    return f"{number(round(100 * share, 1 if share < 0.1 else 0))} %"
