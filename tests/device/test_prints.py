"""Where the pictures of a reading go, and what is said of a place where they cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.prints import PrintError, Prints, names, overlay_paths


def test_one_photograph_goes_into_the_picture_that_is_named(tmp_path: Path) -> None:
    assert overlay_paths(tmp_path / "out.png", ["roll"]) == [tmp_path / "out.png"]


def test_several_are_numbered_in_their_order(tmp_path: Path) -> None:
    assert overlay_paths(tmp_path / "out.jpg", ["a", "b"]) == [tmp_path / "out-1.jpg", tmp_path / "out-2.jpg"]


def test_anything_else_is_a_folder(tmp_path: Path) -> None:
    assert overlay_paths(tmp_path / "out", ["a", "b"]) == [tmp_path / "out" / "a.jpg", tmp_path / "out" / "b.jpg"]
    assert overlay_paths(tmp_path, ["a"]) == [tmp_path / "a.jpg"]


def test_a_name_that_comes_again_gets_a_number() -> None:
    assert names(["x/a.jpg", "y/a.png", "a-2.jpg", "b"]) == ["a", "a-2", "a-2-2", "b"]


def test_places_that_cannot_be_are_said_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    photo = tmp_path / "a.jpg"
    photo.write_text("")
    other = tmp_path / "b.jpg"
    other.write_text("another photograph")
    for show, words in (
        (tmp_path / "a.txt", "no picture's name"),
        (photo, "one of the photographs"),
        (other, "is there already"),
    ):
        with pytest.raises(PrintError, match=words) as caught:
            Prints([str(photo)], show=show)
        assert caught.value.option == "show"
    with pytest.raises(PrintError, match="cannot be written") as caught:
        Prints([str(photo)], explain=tmp_path / "file" / "inside")
    assert caught.value.option == "explain"
