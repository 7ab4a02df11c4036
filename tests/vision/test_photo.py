"""Opening photographs: good ones upright, bad ones with a sentence."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.photo import PhotoError, load_photo


def picture(width: int = 64, height: int = 48) -> np.ndarray:
    rows, columns = np.mgrid[:height, :width]
    return np.dstack([columns * 3, rows * 4, np.full_like(rows, 90)]).astype(np.uint8)


def packed(kind: str, image: np.ndarray | None = None) -> bytes:
    return cv2.imencode(kind, picture() if image is None else image)[1].tobytes()


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    """Return `jpeg` with an EXIF block that says how the camera was held."""
    tiff = b"MM\x00*\x00\x00\x00\x08" + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
    block = b"Exif\x00\x00" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + jpeg[2:]


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp", ".bmp"])
def test_a_picture_of_each_kind_is_opened(kind: str, tmp_path: Path) -> None:
    (tmp_path / f"roll{kind}").write_bytes(packed(kind))
    image, milliseconds = load_photo(tmp_path / f"roll{kind}")
    assert image.shape == (48, 64, 3)
    assert image.dtype == np.uint8
    assert milliseconds >= 0


def test_a_grey_picture_and_one_with_transparency_become_bgr() -> None:
    assert load_photo(packed(".png", picture()[..., 0]))[0].shape == (48, 64, 3)
    assert load_photo(packed(".png", np.dstack([picture(), np.full((48, 64), 200, np.uint8)])))[0].shape == (48, 64, 3)


def test_a_photograph_taken_on_its_side_stands_upright() -> None:
    image, _ = load_photo(with_orientation(packed(".jpg"), 6))
    assert image.shape == (64, 48, 3)
    # Orientation 6: the stored left edge is the top. Stored columns grow in blue, so rows of the upright one do.
    assert image[5, 24, 0] < image[58, 24, 0]


def test_text_is_no_picture() -> None:
    with pytest.raises(PhotoError, match="no picture"):
        load_photo(b"d6,red,4\n" * 40)


def test_an_empty_file_is_said_to_be_empty(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").touch()
    with pytest.raises(PhotoError, match=r"a\.jpg is empty"):
        load_photo(tmp_path / "a.jpg")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match=r"no photograph .*gone\.jpg"):
        load_photo(tmp_path / "gone.jpg")


def test_a_folder_is_no_photograph(tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match="folder"):
        load_photo(tmp_path)


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp", ".bmp"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_picture_that_is_cut_short_is_refused_and_not_half_read(kind: str, share: float) -> None:
    whole = packed(kind, cv2.resize(picture(), (400, 300)))
    with pytest.raises(PhotoError, match="cut short"):
        load_photo(whole[: int(len(whole) * share)])


def test_a_jpeg_cut_after_a_thumbnail_that_is_whole_is_still_cut_short() -> None:
    whole, thumbnail = packed(".jpg", cv2.resize(picture(), (400, 300))), packed(".jpg")
    block = b"Exif\x00\x00" + thumbnail
    carrying = whole[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + whole[2:]
    load_photo(carrying)
    with pytest.raises(PhotoError, match="cut short"):
        load_photo(carrying[:-200])


def test_a_hundred_megapixels_and_more_are_refused_by_the_header_alone() -> None:
    header = struct.pack(">IIBBBBB", 20_000, 10_000, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + b"IHDR" + header + struct.pack(">I", zlib.crc32(b"IHDR" + header))
    with pytest.raises(PhotoError, match="20000 x 10000"):
        load_photo(b"\x89PNG\r\n\x1a\n" + chunk)
    jpeg = packed(".jpg")
    frame = jpeg.index(b"\xff\xc0")
    huge = jpeg[: frame + 5] + struct.pack(">HH", 20_000, 6_000) + jpeg[frame + 9 :]
    with pytest.raises(PhotoError, match="less than 100 megapixels"):
        load_photo(huge)
    just_as_many = jpeg[: frame + 5] + struct.pack(">HH", 10_000, 10_000) + jpeg[frame + 9 :]
    with pytest.raises(PhotoError, match="less than 100 megapixels"):
        load_photo(just_as_many)


def test_a_large_jpeg_is_opened_at_half_its_size_upright_and_another_kind_is_refused() -> None:
    large = cv2.resize(picture(), (6000, 4500))
    image, _ = load_photo(with_orientation(packed(".jpg", large), 6))
    assert image.shape == (3000, 2250, 3)
    with pytest.raises(PhotoError, match="6000 x 4500 pixels, and it must have less than 25 megapixels"):
        load_photo(packed(".png", large))
    assert load_photo(packed(".jpg", large[:, :5500]))[0].shape == (4500, 5500, 3)


def test_a_picture_of_a_million_empty_parts_is_refused() -> None:
    jpeg, png = packed(".jpg"), packed(".png")
    for many in (b"\xff\xe5\x00\x02" * 1_000_000, b"\xff" * 1_000_000):
        with pytest.raises(PhotoError, match=r"cut short|damaged"):
            load_photo(jpeg[:2] + many + jpeg[2:])
    chunk = struct.pack(">I", 0) + b"teXt" + struct.pack(">I", zlib.crc32(b"teXt"))
    with pytest.raises(PhotoError, match="cut short"):
        load_photo(png[:33] + chunk * 1_000_000 + png[33:])


def test_a_picture_whose_inside_is_spoilt_is_refused() -> None:
    whole = bytearray(packed(".png", cv2.resize(picture(), (400, 300))))
    whole[60:120] = bytes(60)
    with pytest.raises(PhotoError, match="damaged"):
        load_photo(bytes(whole))


def test_what_is_no_ordinary_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    with pytest.raises(PhotoError, match="is no file"):
        load_photo(tmp_path / "pipe.jpg")
    with (tmp_path / "endless.jpg").open("wb") as file:
        file.truncate(8_000_000_000)
    with pytest.raises(PhotoError, match="8000 MB"):
        load_photo(tmp_path / "endless.jpg")


def test_what_does_not_tell_its_size_is_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    jpeg = packed(".jpg")
    frame = jpeg.index(b"\xff\xc0")
    without_height = jpeg[: frame + 5] + struct.pack(">H", 0) + jpeg[frame + 7 :]
    decoded: list[int] = []
    monkeypatch.setattr(cv2, "imdecode", lambda *_: decoded.append(1))
    with pytest.raises(PhotoError, match="damaged"):
        load_photo(without_height)
    assert decoded == []
