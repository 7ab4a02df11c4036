"""Plots drawn on the server as inline SVG: points over the turns, and how often each face of a die came up.

A plot has a title and a description for those who hear it, and the page that shows it has the same figures as a table.
Colours are classes of the style sheet; a line is told by its dashes and its letter too, a bar by its pattern.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from markupsafe import Markup, escape

from engine.fairness import Judged
from webui.drawing import tone
from webui.palette import Look, free_letter
from webui.words import number

DASHES = ("", "8 3", "2 3", "10 3 2 3", "5 2", "1 3", "12 4", "6 2 2 2 2 2")
"""How the line of each seat is broken."""

WIDTH, HEIGHT = 340, 220
LEFT, RIGHT, TOP, BOTTOM = 38, 24, 10, 34

_ids = count(1)


@dataclass(frozen=True, slots=True)
class Line:
    """One seat's points over the turns (None: unknown), with its name, its letter and the dashes of its line."""

    name: str
    letter: str
    dashes: str
    points: Sequence[float | None]

    @property
    def last(self) -> float | None:
        return next((value for value in reversed(self.points) if value is not None), None)


def lines(names: Sequence[str], scores: Sequence[Sequence[float | None]]) -> list[Line]:
    """Return a line for each seat, its letter out of its name; `scores` are the points of all seats, turn by turn."""
    letters: set[str] = set()
    made = []
    for seat, name in enumerate(names):
        letter = free_letter(name, letters)
        letters.add(letter)
        made.append(Line(name, letter, DASHES[seat % len(DASHES)], [row[seat] for row in scores]))
    return made


def points_plot(seats: Sequence[Line], *, title: str, description: str, turn: str) -> Markup:
    """Return the plot of these lines; `turn` names what goes to the right."""
    turns = max(len(line.points) for line in seats) - 1
    known = [value for line in seats for value in line.points if value is not None] or [0]
    ticks = _ticks(min(0, *known), max(1, *known))
    low, high = ticks[0], ticks[-1]

    def x(at: int) -> float:
        return LEFT + at / max(1, turns) * (WIDTH - LEFT - RIGHT)

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = [_tick(y(tick), tick, zero=tick == 0) for tick in ticks]
    parts += [
        f'<text x="{x(at):.0f}" y="{HEIGHT - BOTTOM + 15}" class="middle">{at}</text>'
        for at in sorted({0, turns // 2, turns})
    ]
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    parts.append(f'<text x="{middle:.0f}" y="{HEIGHT - 4}" class="middle">{escape(turn)}</text>')
    parts += [
        f'<path class="line seat-{seat}" stroke-dasharray="{line.dashes or "none"}" d="{_steps(line.points, x, y)}"/>'
        for seat, line in enumerate(seats)
    ]
    ends = [(seat, y(line.last)) for seat, line in enumerate(seats) if line.last is not None]
    parts += [
        f'<circle class="end seat-{seat}" cx="{WIDTH - 11}" cy="{at:.1f}" r="8"/>'
        f'<text x="{WIDTH - 11}" y="{at + 4:.1f}" class="middle letter">{escape(seats[seat].letter)}</text>'
        for seat, at in _apart(ends)
    ]
    return _svg(WIDTH, HEIGHT, parts, title, description)


def key_line(line: Line, seat: int) -> Markup:
    """Return the sample of a seat's line that stands beside its name."""
    return Markup(
        f'<svg class="plot-key" viewBox="0 0 56 20" aria-hidden="true">'
        f'<path class="line seat-{seat}" stroke-dasharray="{line.dashes or "none"}" d="M1 10H36"/>'
        f'<circle class="end seat-{seat}" cx="46" cy="10" r="8"/>'
        f'<text x="46" y="14" class="middle letter">{escape(line.letter)}</text></svg>'
    )


def faces_plot(kind: Judged, look: Look, *, title: str, description: str) -> Markup:
    """Return the histogram of a die's faces: bars with their 95 % intervals, a line where fair dice would be."""
    height, bottom = 160, 20
    fair = 1 / len(kind.faces)
    top = max(face.high for face in kind.faces)
    step = (WIDTH - LEFT - 6) / len(kind.faces)
    wide = min(34.0, step * 0.72)

    def y(share: float) -> float:
        return height - bottom - share / top * (height - bottom - 8)

    ticks = [tick for tick in _ticks(0, 100 * top) if tick <= 100 * top]
    parts = [_tick(y(tick / 100), tick, zero=tick == 0, unit=" %") for tick in ticks]
    for at, face in enumerate(kind.faces):
        middle, share = LEFT + (at + 0.5) * step, face.count / kind.thrown
        box = f'x="{middle - wide / 2:.1f}" y="{y(share):.1f}" width="{wide:.1f}" height="{y(0) - y(share):.1f}"'
        parts.append(f'<rect class="share" {box} fill="{escape(look.fill)}"/>')
        if look.pattern != "plain":
            parts.append(f'<rect {box} fill="url(#pattern-{escape(look.pattern)}-{tone(look.ink)})"/>')
        low, high, arm = y(face.low), y(face.high), min(5.0, wide / 3)
        whisker = f"M{middle:.1f} {low:.1f}V{high:.1f}M{middle - arm:.1f} {low:.1f}h{2 * arm:.1f}"
        whisker += f"M{middle - arm:.1f} {high:.1f}h{2 * arm:.1f}"
        parts.append(f'<path class="halo" d="{whisker}"/><path class="whisker" d="{whisker}"/>')
        parts.append(f'<text x="{middle:.1f}" y="{height - 4}" class="middle">{face.value}</text>')
    parts.append(f'<path class="fair" d="M{LEFT} {y(fair):.1f}H{WIDTH - 6}"/>')
    return _svg(WIDTH, height, parts, title, description)


def _svg(width: int, height: int, parts: Sequence[str], title: str, description: str) -> Markup:
    name = f"plot-{next(_ids)}"
    return Markup(
        f'<svg class="plot" viewBox="0 0 {width} {height}" role="img" aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(description)}</desc>'
        f"{''.join(parts)}</svg>"
    )


def _tick(at: float, value: float, *, zero: bool, unit: str = "") -> str:
    kind = "axis" if zero else "grid"
    return (
        f'<path class="{kind}" d="M{LEFT} {at:.1f}H{WIDTH - RIGHT if not unit else WIDTH - 6}"/>'
        f'<text x="{LEFT - 5}" y="{at + 4:.1f}" class="right">{escape(number(value))}{unit}</text>'
    )


def _ticks(low: float, high: float) -> list[float]:
    """Return round numbers, evenly spaced, the first at most `low` and the last at least `high`."""
    rough = (high - low) / 4
    size = 10 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough)
    step = max(step, 1)
    first = math.floor(low / step)
    return [at * step for at in range(first, math.ceil(high / step) + 1)]


def _steps(points: Sequence[float | None], x: Callable[[int], float], y: Callable[[float], float]) -> str:
    """Return the path of points that stand until they change; it breaks off where they are unknown."""
    path, before = "", None
    for at, value in enumerate(points):
        if value is not None:
            if before is None:
                path += f"M{x(at):.1f} {y(value):.1f}"
            elif value != before:
                path += f"H{x(at):.1f}V{y(value):.1f}"
            elif at == len(points) - 1:
                path += f"H{x(at):.1f}"
        elif before is not None:
            path += f"H{x(at):.1f}"
        before = value
    return path


def _apart(ends: Sequence[tuple[int, float]], gap: float = 17) -> Iterator[tuple[int, float]]:
    """Yield each seat with the height of its letter, moved so that none lies on another."""
    order = sorted(ends, key=lambda end: end[1])
    heights: list[float] = []
    for _, at in order:
        heights.append(max(at, heights[-1] + gap) if heights else max(at, 9))
    lowest = HEIGHT - BOTTOM + 4.0
    for at in reversed(range(len(heights))):
        heights[at] = min(heights[at], lowest)
        lowest = heights[at] - gap
    yield from ((seat, height) for (seat, _), height in zip(order, heights, strict=True))
