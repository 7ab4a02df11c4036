"""The ring of photographs, on a real disk."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from device.photos import LONGEST, RESERVE, PhotoRing

RNG = np.random.default_rng(4)


def noise(width: int = 320, height: int = 240) -> np.ndarray:
    """A picture that does not become small as a JPEG."""
    return RNG.integers(0, 256, (height, width, 3), dtype=np.uint8)


def kept(folder: Path) -> list[str]:
    """The stems that are there, oldest first."""
    return sorted(path.stem for path in folder.glob("*.jpg") if path.stem.count("-") == 1)


def test_the_oldest_make_room_when_the_ring_is_full(tmp_path: Path) -> None:
    ring = PhotoRing(tmp_path, megabytes=0.2)
    stems = []
    for _ in range(8):
        stems.append(ring.keep(noise()))
        ring.keep_dice(stems[-1], noise(), [(10.0, 10.0, 40.0, 40.0)])
    there = kept(tmp_path)
    assert 1 <= len(there) < 8
    assert there == stems[-len(there) :]
    crops = {path.stem.rsplit("-", 1)[0] for path in tmp_path.glob("*.jpg") if path.stem.count("-") == 2}
    assert crops <= set(there), "a photograph goes with its dice"
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 300_000


def test_the_newest_is_kept_whatever_its_size(tmp_path: Path) -> None:
    ring = PhotoRing(tmp_path, megabytes=0.001)
    first, second = ring.keep(noise()), ring.keep(noise())
    assert kept(tmp_path) == [second]
    assert first != second


def test_after_a_restart_the_ring_goes_on_whatever_the_clock_says(tmp_path: Path) -> None:
    first = PhotoRing(tmp_path, megabytes=0.2)
    old = [first.keep(noise()) for _ in range(2)]
    first.link(old[0], 7, {"game_id": "g"})
    for path in tmp_path.iterdir():
        os.utime(path, (4e9, 4e9))
    again = PhotoRing(tmp_path, megabytes=0.2)
    assert again.of_turn(7) == f"{old[0]}.jpg"
    new = [again.keep(noise()) for _ in range(5)]
    assert kept(tmp_path)[-1] == new[-1]
    assert old[0] not in kept(tmp_path)
    assert again.of_turn(7) is None, "a photograph that went is no longer offered"


def test_strangers_in_the_folder_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"x" * 500_000)
    (tmp_path / "000009-0123abcd.json").write_text("{ half a file")
    ring = PhotoRing(tmp_path, megabytes=0.1)
    for _ in range(5):
        assert int(ring.keep(noise()).split("-")[0]) > 9
    assert (tmp_path / "holiday.jpg").exists()


def test_a_large_photograph_is_kept_smaller_with_its_proportions(tmp_path: Path) -> None:
    stem = PhotoRing(tmp_path).keep(np.zeros((3000, 4000, 3), np.uint8))
    assert cv2.imread(str(tmp_path / f"{stem}.jpg")).shape == (LONGEST * 3 // 4, LONGEST, 3)


def test_on_a_full_disk_photographs_leave_room_for_the_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ring = PhotoRing(tmp_path)
    ring.keep(noise())
    free = RESERVE - 1000
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    with pytest.raises(OSError, match="No space left"):
        ring.keep(noise())
    assert kept(tmp_path) == [], "older photographs went first"
    free = RESERVE + 10_000_000
    ring.keep(noise())
    assert len(kept(tmp_path)) == 1


def test_a_file_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ring = PhotoRing(tmp_path)

    def fails(self: Path, content: bytes) -> int:
        self.touch()
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Path, "write_bytes", fails)
    with pytest.raises(OSError, match="Input/output"):
        ring.keep(noise())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("box", [(0.0, 0.0, 30.0, 30.0), (300.0, 220.0, 40.0, 40.0), (-5.0, -5.0, 20.0, 12.0)])
def test_a_die_at_the_edge_has_its_picture_too(tmp_path: Path, box: tuple[float, float, float, float]) -> None:
    ring = PhotoRing(tmp_path)
    image = noise()
    stem = ring.keep(image)
    names = ring.keep_dice(stem, image, [box])
    assert names == [f"{stem}-0.jpg"]
    assert cv2.imread(str(tmp_path / f"{stem}-0.jpg")) is not None
