"""JSON documents as they come in: from a file or standard input, whole or one a line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO, NoReturn

from engine.game import InvalidInput
from engine.words import quoted, say

LONGEST_LINE = 1_000_000
"""Bytes that one document of `jurado score --lines` may have."""


def opened(file: str | None) -> BinaryIO:
    """Return what is to be read: `file`, or standard input where it is None or `-`. Raises `InvalidInput`."""
    if file is None or file == "-":
        if sys.stdin is None:
            message = say("Standard input is closed. Nothing was read. Send the document there, or name a file.")
            raise InvalidInput("unreadable_file", message, "file")
        return sys.stdin.buffer
    try:
        return open(file, "rb")
    except IsADirectoryError as error:
        message = say("{file} is a folder. Nothing was read. Name a file in it.", file=file)
        raise InvalidInput("is_a_folder", message, "file") from error
    except PermissionError as error:
        message = say(
            "This user may not read the file {file}. Nothing was read. Change its rights, or name another one.",
            file=file,
        )
        raise InvalidInput("no_permission", message, "file") from error
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte in it
        message = say(
            "There is no file {file} that can be read. Nothing was read. Check its name, or leave it out and send the "
            "document to standard input.",
            file=repr(file)[1:-1],
        )
        raise InvalidInput("no_such_file", message, "file") from error


def read_whole(file: str | None) -> bytes:
    """Return all that `file`, or standard input, holds. Raises `InvalidInput`."""
    with opened(file) as source:
        try:
            return source.read()
        except OSError as error:
            raise _unreadable(file, error) from error


def read_lines(file: str | None) -> Iterator[bytes]:
    """Yield the lines, never holding more of one than is needed to know that it is too long. Raises `InvalidInput`."""
    with opened(file) as source:
        try:
            while line := source.readline(LONGEST_LINE + 1):
                longer = line
                while len(longer) > LONGEST_LINE and not longer.endswith(b"\n"):
                    longer = source.readline(LONGEST_LINE + 1)
                yield line
        except OSError as error:
            raise _unreadable(file, error) from error


def _unreadable(file: str | None, error: OSError) -> InvalidInput:
    message = say(
        "{file} cannot be read ({why}). Check the disk that holds it, or name another file.",
        file=say("Standard input") if file in (None, "-") else say("The file {file}", file=file),
        why=error.strerror,
    )
    return InvalidInput("unreadable_file", message, "file")


def parse(text: bytes) -> Any:
    """Return the JSON document in `text`. Raises `InvalidInput`, which says where it cannot be understood."""
    try:
        return _parsed(text)
    except json.JSONDecodeError as error:
        raise _no_json(
            error,
            say(
                "This is no JSON document: it cannot be understood from line {line}, character {at} on. "
                "Correct it there.",
                line=error.lineno,
                at=error.colno,
            ),
        ) from error


def parse_line(line: bytes) -> Any:
    """Return the JSON document that is one line of several. Raises `InvalidInput`."""
    if len(line) > LONGEST_LINE:
        raise InvalidInput(
            "too_long", say("This line is longer than {most} bytes. Send a shorter document.", most=LONGEST_LINE)
        )
    try:
        return _parsed(line.rstrip(b"\r\n"))
    except json.JSONDecodeError as error:
        raise _no_json(
            error,
            say(
                "This line is no JSON document: it cannot be understood from character {at} on. Correct it there.",
                at=error.pos + 1,
            ),
        ) from error


def _no_json(error: json.JSONDecodeError, where: str) -> InvalidInput:
    if not error.doc.strip():
        return InvalidInput("not_json", say("There is no JSON document here: it is empty. Send one."))
    if error.pos >= len(error.doc.rstrip()):
        return InvalidInput("not_json", say("This JSON document is cut off before its end. Send the whole of it."))
    return InvalidInput("not_json", where)


def _parsed(text: bytes) -> Any:
    """Return the document. Raises `InvalidInput`, and `json.JSONDecodeError` where its grammar is broken."""
    try:
        return json.loads(text.decode("utf-8-sig"), parse_constant=_no_number, object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        message = say("This is no UTF-8 text: byte {at} cannot be read. Send JSON in UTF-8.", at=error.start + 1)
        raise InvalidInput("not_json", message) from error
    except RecursionError as error:
        message = say("This JSON document is nested too deeply. Send one with fewer levels.")
        raise InvalidInput("not_json", message) from error
    except (json.JSONDecodeError, InvalidInput):
        raise
    except ValueError as error:  # Python refuses whole numbers of thousands of digits
        message = say("A number in this JSON document has too many digits. Shorten it.")
        raise InvalidInput("not_json", message) from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these keys and values. Raises `InvalidInput` where a key is there twice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for at, key in enumerate(keys) if key in keys[:at])
        message = say(
            "The field {key} is there twice in one object of this JSON document, and only one could count. "
            "Leave one of them out.",
            key=quoted(twice),
        )
        raise InvalidInput("repeated_field", message)
    return made


def _no_number(name: str) -> NoReturn:
    raise InvalidInput("not_json", say("{name} is no number that JSON knows. Leave it out, or send null.", name=name))
