"""The words of the pages, in one place, so that a translation has one place to go."""

from __future__ import annotations

from typing import Any

ELEMENTS: dict[str, dict[str, Any]] = {
    "vanguard": {
        "name": "Vanguard Commission",
        "short": "Vanguard",
        "tag": "Vang",
        "perfect": "Four dice of one colour that add up to 10–15.",
        "rows": [
            "+3: three of one colour, all four add up to 10–15",
            "+2: four of one colour, any sum",
            "+1: three of one colour, any sum",
        ],
    },
    "flag_bearers": {
        "name": "Master-of-Room & Flag-Bearer",
        "short": "Flag-Bearer",
        "tag": "Flag",
        "perfect": "An identical even pair and an identical odd pair, in two colours.",
        "rows": [
            "+3: one identical pair, and two of another colour that are odd where the pair is even (or the reverse)",
            "+2: one identical pair, and any two of another colour",
            "+1: any two of one colour and any two of another",
        ],
    },
    "storyline": {
        "name": "Storyline",
        "short": "Storyline",
        "tag": "Story",
        "perfect": "Four different dice, each with a twin in an element of its own.",
        "rows": [
            "+3: three different, twins in four elements",
            "+2: four different, twins in three elements",
            "+1: three different, twins in three elements",
        ],
    },
    "floats": {
        "name": "Parade Floats & Props",
        "short": "Floats",
        "tag": "Float",
        "perfect": "Four colours and four values.",
        "rows": ["+3: four colours, three values", "+2: three colours, four values", "+1: three colours, three values"],
    },
    "costumes": {
        "name": "Costumes",
        "short": "Costumes",
        "tag": "Cost",
        "perfect": "The same four dice as Floats & Props.",
        "rows": ["+3: three of the same dice", "+2: two of the same dice", "+1: one of the same dice"],
    },
    "progression": {
        "name": "Progression",
        "short": "Progression",
        "tag": "Prog",
        "perfect": "Four values in a row.",
        "rows": ["+3: four in a row through 6 and 1", "+2: three in a row", "+1: three in a row through 6 and 1"],
    },
    "harmony": {
        "name": "Harmony",
        "short": "Harmony",
        "tag": "Harm",
        "perfect": "Four identical dice.",
        "rows": ["+3: three identical", "+2: two identical pairs", "+1: two identical"],
    },
    "drums": {
        "name": "Drums",
        "short": "Drums",
        "tag": "Drum",
        "perfect": "Four dice of one value that Harmony does not show.",
        "rows": [
            "+3: three of one value, none of the values here in Harmony",
            "+2: two pairs of values, none in Harmony",
            "+1: two of one value, none of the values here in Harmony",
        ],
    },
    "theme_song": {
        "name": "Samba Theme Song",
        "short": "Theme Song",
        "tag": "Song",
        "perfect": "Four dice whose colour or value is nowhere else on the board.",
        "rows": ["+3: three such dice", "+2: two such dice", "+1: one such die"],
    },
}

HOUSE_RULES: list[dict[str, Any]] = [
    {
        "key": "progression.ordered_spaces",
        "title": "Progression in order of the spaces",
        "why": "Off: only which values lie there counts. On: they must also lie in order from the first space.",
        "options": [("off", "Off"), ("on", "On")],
    },
    {
        "key": "storyline.different",
        "title": "Different dice in Storyline",
        "why": "Either the dice are not identical, or they must differ in colour and in value.",
        "options": [("not_identical", "Not identical"), ("both", "Colour and value")],
    },
    {
        "key": "storyline.twin",
        "title": "Twins for Storyline",
        "why": "One die elsewhere may answer for two identical Storyline dice, or each needs its own.",
        "options": [("presence", "One is enough"), ("physical", "One each")],
    },
    {
        "key": "song.mode",
        "title": "Theme Song by colour or value",
        "why": "Each die may stand out by colour or by value, or all of them in the same way.",
        "options": [("per_die", "Each die for itself"), ("uniform", "All in one way")],
    },
    {
        "key": "drums.check",
        "title": "Drums against Harmony",
        "why": "No value in Drums may be in Harmony at all, or only the matching ones are checked.",
        "options": [("all_values", "All values"), ("matching_only", "Matching only")],
    },
    {
        "key": "couple.two_colours",
        "title": "The couple's other two dice",
        "why": "They share one colour, or they are only not of the pair's colour.",
        "options": [("strict", "One shared colour"), ("loose", "Any other colours")],
    },
    {
        "key": "tiebreak.couple_colours",
        "title": "Third tie-break",
        "why": "Count dice in every colour of the couple, or only in its two commonest.",
        "options": [("all", "All its colours"), ("best_two", "Two commonest")],
    },
    {
        "key": "seats.max",
        "title": "Fifth school",
        "why": "Only with the extra board and its dice. The rules for five are inferred: check your expansion sheet.",
        "options": [(4, "Up to four"), (5, "Five, we own the board")],
    },
]
"""One line of reason for each switch; `division.table` is chosen for each school instead."""

STRIP_SOURCES = {
    "user": "Our printed strip",
    "practice": "Practice strip (made up)",
    "manual": "Typed by hand at the end",
}

DIVISIONS = {"D": "D, the first", "C": "C", "B": "B", "A": "A", "S": "S, Special"}
"""From the easiest to the hardest."""


def _(sentence: str, **values: Any) -> str:
    """Return a sentence of the pages, its {names} filled in; every template asks here, as every script asks its `t`."""
    return sentence.format(**values) if values else sentence
