"""The six solids as exact convex polyhedra: normals, corners, faces, opposite faces; circumradius 1, centred at 0."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.dice import Shape

Array = NDArray[np.float64]

GOLDEN = (1 + math.sqrt(5)) / 2
D10_STEEPNESS = 0.80
"""The usual angle in radians between a d10 face's normal and the axis through its two points."""


@dataclass(frozen=True, slots=True)
class Face:
    """One face: `corners` (indices of vertices, counter-clockwise from outside), incentre, inradius, edge middles."""

    corners: tuple[int, ...]
    centre: Array
    inradius: float
    middles: Array


@dataclass(frozen=True, slots=True)
class Polyhedron:
    """A convex solid: face normals (F,3), their common distance from the centre, vertices (V,3), faces, opposites."""

    shape: Shape
    steepness: float
    normals: Array
    distance: float
    vertices: Array
    faces: tuple[Face, ...]
    opposite: tuple[int, ...]
    neighbour_angle: float
    """Radians between the normals of two faces that share an edge: how far a die must lean to change its face."""


def _normals(shape: Shape, steepness: float) -> Array:
    signs = list(itertools.product((1.0, -1.0), repeat=3))
    if shape is Shape.D4:
        rows = [s for s in signs if s[0] * s[1] * s[2] > 0]
    elif shape is Shape.D6:
        rows = [tuple(sign * float(i == k) for i in range(3)) for k in range(3) for sign in (1.0, -1.0)]
    elif shape is Shape.D8:
        rows = signs
    elif shape is Shape.D10:
        turn = [2 * math.pi * k / 5 for k in range(5)]
        sin, cos = math.sin(steepness), math.cos(steepness)
        rows = [(math.cos(a) * sin, math.sin(a) * sin, cos) for a in turn]
        rows += [(-x, -y, -z) for x, y, z in rows]
    else:
        cyclic = [(0.0, a, b * GOLDEN) for a in (1.0, -1.0) for b in (1.0, -1.0)]
        if shape is Shape.D20:
            cyclic = [(0.0, a / GOLDEN, b * GOLDEN) for a in (1, -1) for b in (1, -1)]
        rows = [(r[k % 3], r[(k + 1) % 3], r[(k + 2) % 3]) for r in cyclic for k in range(3)]
        if shape is Shape.D20:
            rows += signs
    normals = np.array(rows, dtype=float)
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True), dtype=np.float64)


def _corners(normals: Array) -> Array:
    triples = np.array(list(itertools.combinations(range(len(normals)), 3)))
    planes = normals[triples]
    solvable = np.abs(np.linalg.det(planes)) > 1e-6
    points = np.linalg.solve(planes[solvable], np.ones((int(solvable.sum()), 3, 1)))[..., 0]
    inside = (points @ normals.T <= 1 + 1e-7).all(axis=1)
    return np.unique(np.round(points[inside], 7), axis=0)


def _incentre(polygon: Array) -> tuple[Array, float]:
    """Return centre and radius of the largest circle in a flat convex polygon with an axis of symmetry (V,3)."""
    nexts = np.roll(polygon, -1, axis=0)
    lengths = np.linalg.norm(nexts - polygon, axis=1, keepdims=True)
    along = (nexts - polygon) / lengths

    def inradii(points: Array) -> Array:
        gaps = points[:, None] - polygon[None]
        nearest: Array = np.linalg.norm(np.cross(gaps, along[None]), axis=2).min(axis=1)
        return nearest

    centroid = polygon.mean(axis=0)
    steps = np.linspace(0, 0.6, 61)[None, :, None]
    points = (centroid + steps * (polygon - centroid)[:, None]).reshape(-1, 3)
    best = points[int(inradii(points).argmax())]
    radius, plain = (float(one) for one in inradii(np.stack([best, centroid])))
    return (centroid, plain) if radius < plain * 1.001 else (best, radius)


@lru_cache(maxsize=64)
def polyhedron(shape: Shape, steepness: float = D10_STEEPNESS) -> Polyhedron:
    """Return the solid of a shape; `steepness` (0.7 flat .. 0.95 pointed, radians) matters to the d10 alone."""
    normals = _normals(shape, steepness)
    vertices = _corners(normals)
    reach = float(np.linalg.norm(vertices, axis=1).max())
    vertices, distance = vertices / reach, 1 / reach
    faces = []
    for normal in normals:
        on_face = np.flatnonzero(np.abs(vertices @ normal - distance) < 1e-5)
        arms = vertices[on_face] - vertices[on_face].mean(axis=0)
        east = arms[0] / np.linalg.norm(arms[0])
        north = np.cross(normal, east)
        order = on_face[np.argsort(np.arctan2(arms @ north, arms @ east))]
        polygon = vertices[order]
        centre, inradius = _incentre(polygon)
        middles = (polygon + np.roll(polygon, -1, axis=0)) / 2
        faces.append(Face(tuple(int(i) for i in order), centre, inradius, middles))
    opposite = tuple(int(np.argmin(normals @ normal)) for normal in normals)
    nearest = np.sort(normals @ normals[0])[-2]
    return Polyhedron(
        shape, steepness, normals, distance, vertices, tuple(faces), opposite, float(np.arccos(np.clip(nearest, -1, 1)))
    )


def rotation(axis: Array, angle: float) -> Array:
    """Return the matrix that turns by `angle` radians about `axis` (right hand)."""
    x, y, z = axis / np.linalg.norm(axis)
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + math.sin(angle) * skew + (1 - math.cos(angle)) * skew @ skew, dtype=np.float64)


def turning(source: Array, target: Array) -> Array:
    """Return the shortest rotation that carries unit vector `source` onto unit vector `target`."""
    axis = np.cross(source, target)
    length = float(np.linalg.norm(axis))
    if length < 1e-9:
        if float(source @ target) > 0:
            return np.eye(3)
        side = np.cross(source, [0.3, 0.7, 0.2])
        return rotation(side, math.pi)
    return rotation(axis, math.atan2(length, float(source @ target)))
