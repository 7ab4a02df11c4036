"""The draft: how many dice are drawn and taken, in which order the schools pick, and where the marker goes."""

from __future__ import annotations

from engine.carnavalesco.board import BOARD_SIZE

_LEFT_OVER = 4
"""Dice that go back to the bag at the end of every round."""


def dice_a_pick(seats: int) -> int:
    """Return how many dice one pick takes: two, or four for a school alone."""
    return 4 if seats == 1 else 2


def picks_a_round(seats: int) -> int:
    """Return how often each school picks in a round: twice when there are two schools."""
    return 2 if seats == 2 else 1


def draw(seats: int) -> int:
    """Return how many dice the first player draws: 8, 12, 10, 12 for one to four schools (14 for five, inferred)."""
    return seats * picks_a_round(seats) * dice_a_pick(seats) + _LEFT_OVER


def rounds(seats: int) -> int:
    """Return the number of rounds that fill every board."""
    return BOARD_SIZE // (picks_a_round(seats) * dice_a_pick(seats))


def pick_order(seats: int, first: int) -> tuple[int, ...]:
    """Return the seats in picking order: clockwise from `first`, and around again for two schools."""
    return tuple((first + step) % seats for step in range(seats * picks_a_round(seats)))


def next_first(seats: int, first: int) -> int:
    """Return who has the marker next: the seat to the right, which picked last."""
    return (first - 1) % seats
