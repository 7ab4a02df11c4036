"""A die standing somewhere on the table: its pose, and the labels that follow from the pose."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.dice import Die, Shape
from vision.rendering.faces import D4_BASE, D4_NUMERAL, D4_POINT, FacePrint, arrange, d4_turns
from vision.rendering.looks import RADIUS_MM, Look
from vision.rendering.polyhedra import D10_STEEPNESS, Polyhedron, polyhedron, rotation, turning
from vision.rendering.view import View

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PlacedDie:
    """A die on the table; world = `place` + `turn` @ (own axes * `radius`), in millimetres.

    `up` is the face whose value counts (a d4: the vertex that points up).
    """

    die: Die
    look: Look
    solid: Polyhedron
    prints: FacePrint
    turn: Array
    place: Array
    radius: float
    up: int
    lean: float
    """Degrees by which the die leans from lying flat."""
    cocked: bool

    @property
    def ball(self) -> float:
        """Radius, in circumradii, of the ball that rounds the corners; only d6 are ever nearly balls."""
        return ball_of(self.solid, self.look)

    @property
    def vertices(self) -> Array:
        """World corners (V,3), before rounding."""
        return self.place + self.solid.vertices @ self.turn.T * self.radius

    def to_world(self, own: Array) -> Array:
        """Return world points for points in the die's own axes (N,3)."""
        return self.place + np.atleast_2d(own) @ self.turn.T * self.radius

    def faces_up(self, view: View) -> tuple[tuple[tuple[float, float], NDArray[np.float32]], ...]:
        """Return (centre in px, J) of the print that tells the value; of a d4's three those in sight, best seen first.

        J is 2x2: columns are the px steps for one inradius to the right and down of the upright numeral.
        """
        if self.solid.shape is not Shape.D4:
            face = self.solid.faces[self.up]
            steps = (self.prints.right[self.up], self.prints.down[self.up])
            return (self._print_on(view, face.centre, steps, face.inradius),)
        seen = []
        for index, face in enumerate(self.solid.faces):
            if self.up not in face.corners:
                continue
            turn = dict(d4_turns(self.solid, index, self.prints))[self.up]
            cos, sin = math.cos(turn), math.sin(turn)
            right = self.prints.right[index] * cos + self.prints.down[index] * sin
            down = self.prints.down[index] * cos - self.prints.right[index] * sin
            rise = D4_BASE if self.look.d4_base else D4_POINT
            centre = face.centre - down * rise * face.inradius
            found = self._print_on(view, centre, (right, down), face.inradius * D4_NUMERAL)
            seen.append((float(np.linalg.det(found[1])), found))
        best = sorted(seen, key=lambda item: -item[0])
        return tuple(found for area, found in best if area > 0 or found is best[0][1])

    def _print_on(
        self, view: View, centre: Array, steps: tuple[Array, Array], unit: float
    ) -> tuple[tuple[float, float], NDArray[np.float32]]:
        tiny = 0.05 * unit
        points = self.to_world(np.array([centre, centre + steps[0] * tiny, centre + steps[1] * tiny]))
        pixels = view.project(points)
        jacobian = ((pixels[1:] - pixels[0]) / 0.05).T.astype(np.float32)
        return (float(pixels[0, 0]), float(pixels[0, 1])), jacobian


def place_die(
    rng: np.random.Generator,
    die: Die,
    look: Look,
    x: float,
    y: float,
    *,
    lean: float = 0.0,
    heading: float | None = None,
) -> PlacedDie:
    """Return `die` lying at (x, y) mm with its value up, turned at random, leaning by `lean` degrees."""
    solid = polyhedron(die.shape, look.steepness if die.shape is Shape.D10 else D10_STEEPNESS)
    prints = arrange(solid, look)
    up = prints.values.index(die.value)
    sky = np.array([0.0, 0.0, 1.0])
    if die.shape is Shape.D4:
        turn = turning(solid.vertices[up] / np.linalg.norm(solid.vertices[up]), sky)
    else:
        turn = turning(solid.normals[up], sky)
    spin = rng.uniform(0, 2 * math.pi) if heading is None else heading
    turn = rotation(sky, spin) @ turn
    if lean:
        side = rng.uniform(0, 2 * math.pi)
        turn = rotation(np.array([math.cos(side), math.sin(side), 0.0]), math.radians(lean)) @ turn
    radius = RADIUS_MM[die.shape] * look.radius
    lowest = float((solid.vertices @ turn.T)[:, 2].min())
    rounded = max(lowest, -ball_of(solid, look)) if lean else lowest
    place = np.array([x, y, -rounded * radius])
    cocked = lean > math.degrees(solid.neighbour_angle) * 0.12
    return PlacedDie(die, look, solid, prints, turn, place, radius, up, lean, cocked)


def ball_of(solid: Polyhedron, look: Look) -> float:
    """Return the radius of the rounding ball between the inscribed (0) and the circumscribed ball (1)."""
    share = look.ball if solid.shape is Shape.D6 else 0.45 + 0.55 * look.ball
    return solid.distance + (1 - solid.distance) * share


@lru_cache(maxsize=64)
def edges(solid_shape: Shape, steepness: float) -> tuple[tuple[int, int], ...]:
    """Return the pairs of faces that share an edge."""
    faces = polyhedron(solid_shape, steepness).faces
    return tuple(
        (a, b)
        for a in range(len(faces))
        for b in range(a + 1, len(faces))
        if len(set(faces[a].corners) & set(faces[b].corners)) == 2
    )
