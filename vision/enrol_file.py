"""Lessons as bytes: one file for each on the table's disk, and one file for all of them to carry elsewhere.

A lesson is a NumPy archive (.npz, no pickles) of the arrays below; `about` is JSON in UTF-8. The file to carry is a
ZIP with `jurado-dice.json` (`{"format": "jurado-dice", "version": 1, "models": …, "lessons": [ids]}`) and `ID.npz` for
each of them. docs/reading.md describes both.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable
from typing import Any

import numpy as np

from engine.words import say
from vision.classify import Classifier
from vision.enrol import (
    ANGLES,
    MOST_LESSONS,
    NUDGES,
    TURNS,
    EnrolError,
    Lesson,
    Traits,
    checked,
    lesson_of,
    name_of,
    pixels_of,
)
from vision.geometry import STEEPEST

FORMAT, VERSION = "jurado-dice", 1
HEAD = "jurado-dice.json"
MOST_BYTES = 400_000
"""Of one lesson; none comes near it."""
MOST_IN_ALL = MOST_BYTES * MOST_LESSONS
ARRAYS = ("whole", "marks", "look", "pose", "seen", "chances", "weights")


def packed(lesson: Lesson) -> bytes:
    """Return `lesson` as the bytes of its file; features of the up-face are kept in 8 bits."""
    traits = lesson.traits
    lean = None if lesson.lean is None else [round(float(part), 4) for part in lesson.lean]
    about = {"format": FORMAT, "version": VERSION, "models": traits.models, "lean": lean, **lesson.as_json()}
    arrays: dict[str, Any] = {name: np.asarray(getattr(traits, name), np.float32) for name in ARRAYS}
    finest = max(float(np.abs(arrays["marks"]).max(initial=0.0)), 1e-6) / 127
    arrays["marks"] = np.rint(arrays["marks"] / finest).astype(np.int8)
    arrays["whole"] = arrays["whole"].astype(np.float16)
    out = io.BytesIO()
    np.savez(
        out,
        about=np.frombuffer(json.dumps(about, ensure_ascii=False).encode(), np.uint8),
        picture=np.frombuffer(lesson.picture, np.uint8),
        finest=np.float32(finest),
        **arrays,
    )
    return out.getvalue()


def unpacked(content: bytes, classifier: Classifier) -> tuple[Lesson, bool]:
    """Return the lesson in `content`, and whether what other models made of its picture was made anew.

    Raises `EnrolError` for what is no lesson: it is checked, and nothing in it is ever run.
    """
    try:
        if len(content) > MOST_BYTES:
            raise ValueError("too long")
        _refuse_bombs(content, MOST_BYTES * 2)
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            about = json.loads(arrays["about"].tobytes())
            if about["format"] != FORMAT or about["version"] != VERSION:
                raise ValueError("another format")
            picture = arrays["picture"].astype(np.uint8).tobytes()
            which, value = checked(about["shape"], about["colour"], about["value"], about["name"])
            corrected = about["corrected"] is True
            pixels_of(picture)
            lean = _lean(about.get("lean"))
            if about["models"] != classifier.digest:
                return lesson_of(classifier, picture, which, value, corrected=corrected, lean=lean), True
            found = {name: np.asarray(arrays[name], np.float32) for name in ARRAYS}
            found["marks"] = (found["marks"] * np.float32(arrays["finest"])).astype(np.float16)
            found["whole"] = found["whole"].astype(np.float16)
    except EnrolError:
        raise
    except Exception as error:  # a hostile or damaged file fails in many ways inside numpy and zipfile
        raise EnrolError(
            say("This is no lesson of a taught die ({why}). Nothing was taught.", why=_why(error)), "bad_file"
        ) from error
    if not all(np.isfinite(one).all() for one in found.values()) or not _fits(found, value):
        return lesson_of(classifier, picture, which, value, corrected=corrected, lean=lean), True
    traits = Traits(about["models"], **found)
    return Lesson(name_of(picture, which, value), which, value, corrected, picture, traits, lean), False


def _lean(stored: object) -> np.ndarray | None:
    """Return how the table leant under a lesson; raises ValueError for what is no lean."""
    if stored is None:
        return None
    lean = np.array(stored, float)
    if lean.shape != (2,) or not float(lean @ lean) <= STEEPEST**2 + 1e-3:
        raise ValueError("no lean")
    return lean


def _fits(found: dict[str, np.ndarray], value: int | None) -> bool:
    """Return whether arrays have the sizes that lessons made here have."""
    taught = value is not None
    patches = len(found["weights"])
    width = found["marks"].shape[-1] if found["marks"].ndim == 2 else -1
    return (
        found["marks"].shape == (len(NUDGES) * ANGLES * taught, width)
        and found["whole"].ndim == 2
        and len(found["whole"]) == TURNS * taught
        and found["look"].shape == (3,)
        and found["seen"].shape == (patches, width)
        and 1 <= patches <= 16
        and found["chances"].ndim == 2
        and len(found["chances"]) == patches
    )


def bundle(lessons: Iterable[Lesson], models: str) -> bytes:
    """Return all `lessons` as one file to carry to another table."""
    known = list(lessons)
    head = {"format": FORMAT, "version": VERSION, "models": models, "lessons": [one.id for one in known]}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as whole:
        whole.writestr(zipfile.ZipInfo(HEAD), json.dumps(head, indent=1), zipfile.ZIP_DEFLATED)
        for one in known:
            # A fixed date: the same lessons make the same file.
            whole.writestr(zipfile.ZipInfo(f"{one.id}.npz"), packed(one), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def unbundle(content: bytes, classifier: Classifier) -> list[Lesson]:
    """Return the lessons in the file `content`. Raises `EnrolError`; then none of them is to be used."""
    try:
        _refuse_bombs(content, MOST_IN_ALL)
        with zipfile.ZipFile(io.BytesIO(content)) as whole:
            head = json.loads(_part(whole, HEAD))
            if head["format"] != FORMAT:
                raise ValueError("another format")
            if head["version"] != VERSION:
                raise EnrolError(
                    say(
                        "This file of taught dice has version {version}, and this Jurado reads version {known}. "
                        "Nothing was changed. Bring both tables to the same Jurado.",
                        version=str(head["version"]),
                        known=VERSION,
                    ),
                    "bad_file",
                )
            names = [str(name) for name in head["lessons"]]
            if len(names) > MOST_LESSONS:
                raise ValueError("too many lessons")
            return [unpacked(_part(whole, f"{name}.npz"), classifier)[0] for name in names]
    except EnrolError:
        raise
    except Exception as error:
        raise EnrolError(
            say(
                "This is no file of taught dice ({why}). Nothing was changed. Take one that `jurado enrol --export` or "
                "the page of the dice has written.",
                why=_why(error),
            ),
            "bad_file",
        ) from error


def _part(whole: zipfile.ZipFile, name: str) -> bytes:
    """Return a file of an archive. Raises `ValueError` for one that is longer than any that belongs there."""
    if whole.getinfo(name).file_size > MOST_BYTES:
        raise ValueError("too long")
    return whole.read(name)


def _refuse_bombs(content: bytes, most: int) -> None:
    """Raise `ValueError` for an archive that unpacks to more than `most` bytes."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > most:
            raise ValueError("it unpacks to too much")


def _why(error: Exception) -> str:
    return str(error).strip().rstrip(".") or type(error).__name__
