"""Bad input by chance: bytes and JSON that were good once, spoilt in ways that parsers are known to stumble over."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

EDGES = (
    b"\x00",
    b"\xff",
    b"\xff\xff\xff\xff",
    b"\x7f\xff\xff\xff",
    b"\x80\x00\x00\x00",
    b"\xff\xd8",
    b"\xff\xd9",
    b"%s%n",
)
WORDS = (
    "", "\x00", "\ud800", "\u202e", "../../etc/passwd", "a" * 5000, "<script>", "{name}", "%s", "'; --", "🎲" * 50,
    "NaN", "-0", "1e999", "true", "null", "\r\nX-Evil: 1", "roll", "take", "all", "red", "constructor", "__class__",
    "{0.__class__}",
)  # fmt: skip
NUMBERS = (0, -1, 1, 2, 7, 255, 2**31, 2**53 + 1, 2**64, -(2**70), 10**30, 0.5, -0.0, 1e308, True, False)


def bytes_of(good: Sequence[bytes], chance: random.Random) -> bytes:
    """Return one of `good` with one to eight things wrong with it."""
    spoilt = bytearray(chance.choice(good))
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(spoilt) + 1)
        # Heads decide how the rest is read, so they are hit more often.
        if chance.random() < 0.5:
            at = min(at, chance.randrange(64))
        match chance.randrange(8):
            case 0 if at < len(spoilt):
                spoilt[at] ^= 1 << chance.randrange(8)
            case 1 if at < len(spoilt):
                spoilt[at] = chance.randrange(256)
            case 2:
                del spoilt[at:]
            case 3:
                del spoilt[at : at + chance.randrange(1, 64)]
            case 4:
                spoilt[at:at] = chance.choice(EDGES)
            case 5:
                spoilt[at : at + 4] = chance.choice(EDGES)
            case 6:
                other = chance.choice(good)
                cut = chance.randrange(len(other) + 1)
                spoilt[at:] = other[cut:]
            case _:
                spoilt[at:at] = spoilt[at : at + chance.randrange(1, 256)]
    return bytes(spoilt)


def text_of(good: Sequence[str], chance: random.Random) -> str:
    """Return one of `good` with lines and words that are wrong, left out or there twice, or what is nested too deep."""
    if chance.random() < 0.001:
        part, most = chance.choice((("[", 60_000), ("{a = ", 60_000), ("a.", 2_000), ('"a".', 2_000)))
        return chance.choice(("a = {}", "[{}]", "[[{}]]", "{} = 1")).format(part * chance.choice((200, most)))
    lines = chance.choice(good).split("\n")
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(lines))
        match chance.randrange(6):
            case 0:
                lines.insert(at, lines[chance.randrange(len(lines))])
            case 1 if len(lines) > 1:
                del lines[at]
            case 2:
                cut = chance.randrange(len(lines[at]) + 1)
                lines[at] = lines[at][:cut] + chance.choice(WORDS) + lines[at][cut:]
            case 3:
                lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
            case 4:
                head, is_there, _ = lines[at].partition("=")
                wrong = json.dumps(chance.choice((*WORDS, *NUMBERS)))
                lines[at] = f"{head}= {wrong}" if is_there else wrong
            case _:
                lines[at] = lines[at] + chance.choice("[]{}\"'=.,#\\")
    return "\n".join(lines)


def value_of(good: Any, chance: random.Random) -> Any:
    """Return a JSON value like `good`, with something in it left out, replaced, repeated or of another kind."""
    if chance.random() < 0.08:
        return chance.choice((None, [], {}, [[]], *WORDS, *NUMBERS, [good] * 3, {"a": good}))
    if isinstance(good, dict) and good:
        made = dict(good)
        name = chance.choice(list(made))
        match chance.randrange(5):
            case 0:
                del made[name]
            case 1:
                made[chance.choice(WORDS)] = made[name]
            case _:
                made[name] = value_of(made[name], chance)
        return made
    if isinstance(good, list) and good:
        made_list = list(good)
        at = chance.randrange(len(made_list))
        match chance.randrange(5):
            case 0:
                del made_list[at]
            case 1:
                made_list.insert(at, made_list[at])
            case _:
                made_list[at] = value_of(made_list[at], chance)
        return made_list
    return chance.choice((*WORDS, *NUMBERS, None, [], {}, good))


def deep(chance: random.Random) -> bytes:
    """Return JSON that is nested deeper than any stack."""
    return chance.choice((b"[", b'{"a":', b"[{")) * chance.choice((200, 2_000, 60_000))


def json_of(good: Sequence[Any], chance: random.Random) -> bytes:
    """Return a JSON document with something wrong in it, or what is no JSON any more."""
    if chance.random() < 0.02:
        return deep(chance)
    value = chance.choice(good)
    for _ in range(chance.randint(1, 4)):
        value = value_of(value, chance)
    # Python writes NaN and lone surrogates, which are no JSON, and so does many a program.
    text = json.dumps(value, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")
    return bytes_of([text], chance) if chance.random() < 0.2 else text
