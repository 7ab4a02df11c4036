"""A die drawn as inline SVG in its own outline, for pages that are made on the server."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup, escape

from engine.dice import Shape
from engine.words import say
from webui.palette import INK, Look
from webui.words import told_here

OUTLINES = {
    Shape.D4: "M50 5 97 90 3 90Z",
    Shape.D6: "M24 5H76A19 19 0 0 1 95 24V76A19 19 0 0 1 76 95H24A19 19 0 0 1 5 76V24A19 19 0 0 1 24 5Z",
    Shape.D8: "M50 2 96 50 50 98 4 50Z",
    Shape.D10: "M50 2 97 56 50 98 3 56Z",
    Shape.D12: "M50 3 98 39 80 95 20 95 2 39Z",
    Shape.D20: "M50 2 93 26V74L50 98 7 74V26Z",
}
"""The outline of each shape in a square of 100; the script draws the same (they lie in the page's sprite)."""

CENTRES = {Shape.D4: 64, Shape.D10: 54, Shape.D12: 54}
"""Where a value stands in height, when not at 50."""


def tone(ink: str) -> str:
    """Return which of the two sets of patterns reads on a fill with this text colour."""
    return "ink" if ink == INK else "white"


def die(shape: str, colour: str, value: int | None, looks: Mapping[str, Look]) -> Markup:
    """Return one die as SVG with a label in words: outline, fill, pattern, value and letter."""
    look = looks[colour]
    kind = Shape(shape)
    centre = CENTRES.get(kind, 50)
    if value is None:
        label = say("{colour} {shape}, no value yet", colour=look.word, shape=kind.value)
    else:
        label = say("{colour} {shape} showing {value}", colour=look.word, shape=kind.value, value=value)
    shown = "?" if value is None else str(value)
    return Markup(
        f'<svg class="die" viewBox="0 0 100 100" role="img" aria-label="{escape(told_here(label))}">{_face(kind, look)}'
        f'<circle cx="50" cy="{centre}" r="27" fill="{escape(look.fill)}"/>'
        f'<text x="50" y="{centre + 19}" class="die-value" fill="{escape(look.ink)}">{escape(shown)}</text>'
        f'<circle cx="78" cy="80" r="13" fill="{escape(look.fill)}"/>'
        f'<text x="78" y="88" class="die-letter" fill="{escape(look.ink)}">{escape(look.letter)}</text></svg>'
    )


def kind_of_die(shape: str, look: Look) -> Markup:
    """Return the picture of a kind of die, beside its name: outline, fill, pattern and letter."""
    kind = Shape(shape)
    return Markup(
        f'<svg class="die" viewBox="0 0 100 100" aria-hidden="true">{_face(kind, look)}'
        f'<circle cx="50" cy="{CENTRES.get(kind, 50)}" r="24" fill="{escape(look.fill)}"/>'
        f'<text x="50" y="{CENTRES.get(kind, 50) + 17}" class="die-value" fill="{escape(look.ink)}">'
        f"{escape(look.letter)}</text></svg>"
    )


def _face(kind: Shape, look: Look) -> str:
    face = f'<use href="#die-{kind.value}" fill="{escape(look.fill)}" class="die-face"/>'
    if look.pattern == "plain":
        return face
    return f'{face}<use href="#die-{kind.value}" fill="url(#pattern-{look.pattern}-{tone(look.ink)})"/>'
