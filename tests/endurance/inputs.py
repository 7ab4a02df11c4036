"""Bad input for every parser: nothing but a sentence may come of it, no traceback, no growth, and nothing is written.

Each input is made by chance from the seed, the parser's name and its number, so that one that fails can be made again:
`python -m tests.endurance inputs --only photo` stops at the first and names it.
"""

from __future__ import annotations

import base64
import json
import logging
import os
import random
import re
import struct
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.config import ConfigError, load_config
from device.documents import parse
from engine.game import GameError, games, sample_setups
from engine.replay import replay_document
from engine.roda_de_samba.deck_file import deck_from_toml, deck_to_toml, shipped_deck
from engine.score import score_document
from engine.selfplay import play_whole
from tests.endurance.running import CODE, Run, resident_mb
from tests.endurance.spoiling import WORDS, bytes_of, json_of, text_of, value_of
from vision.photo import PhotoError, load_photo

CHUNK = 1000
ROOT = Path(__file__).resolve().parents[2]


class Fault(AssertionError):
    """What a parser did that it must not do."""


@dataclass(frozen=True)
class Parser:
    """`make` makes an input by chance, `take` hands it to the parser and returns what came of it, in a word."""

    make: Callable[[random.Random], Any]
    take: Callable[[Any], str]


def told(error: GameError) -> str:
    """Return the code of an error that is fit for people. Raises `Fault` for any other."""
    shape = error.as_json()["error"]
    if not (shape["code"] and str(shape["message"]).strip() and isinstance(shape["field"], str)):
        raise Fault(f"an error without a sentence: {shape}")
    return str(shape["code"])


# Photographs


def pictures() -> list[bytes]:
    """Return small pictures of every kind that may come: turned, 16-bit, CMYK, animated, two files in one, huge."""
    rows, columns = np.mgrid[:48, :64]
    plain = np.dstack([columns * 3, rows * 4, np.full_like(rows, 90)]).astype(np.uint8)
    deep = plain.astype(np.uint16) * 257
    jpeg = _coded(".jpg", plain)
    png = _coded(".png", plain)
    moving = cv2.Animation()
    moving.frames = [np.dstack([plain, np.full((48, 64), 255, np.uint8)])] * 3
    moving.durations = np.array([50, 50, 50])
    made = [
        jpeg,
        png,
        _coded(".webp", plain),
        _coded(".bmp", plain),
        _coded(".jpg", plain, cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
        _coded(".jpg", plain, cv2.IMWRITE_JPEG_RST_INTERVAL, 2),
        _coded(".jpg", plain[..., 0]),
        _coded(".png", deep),
        _coded(".png", plain[..., 0]),
        _coded(".png", moving.frames[0]),
        zlib.decompress(base64.b85decode(CMYK)),
        cv2.imencodeanimation(".webp", moving)[1].tobytes(),
        cv2.imencodeanimation(".png", moving)[1].tobytes(),
        cv2.imencodeanimation(".gif", moving)[1].tobytes(),
        jpeg[:2] + (b"\xff\xe2\xff\xff" + bytes(65_533)) * 3 + jpeg[2:],
        jpeg[:2] + b"\xff\xe5\x00\x02" * 20_000 + jpeg[2:],
        jpeg + b"PK\x03\x04" + bytes(100),
        b"%PDF-1.4\n" + jpeg,
        b"GIF89a" + png,
        jpeg + png,
        _with_size(png, 60_000, 60_000),
        _with_size(png, 2**31 - 1, 1),
        _png_bomb(9_000, 9_000),
        _png_bomb(4_900, 4_900),
    ]
    turned = [
        jpeg[:2] + b"\xff\xe1" + struct.pack(">H", 34) + b"Exif\0\0MM\0*\0\0\0\x08" + block + jpeg[2:]
        for orientation in (0, 1, 3, 6, 8, 9, 65535)
        for block in [struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)]
    ]
    return [*made, *turned]


CMYK = (
    "c-s4a<NrGbKF5^&q*R6!1`zmvo57hOz}&{o#wfte(Jd-8Aim;6Q$=20#n<&aC!Y9E95}!r!oeWHpuplR$lxo;5GlyuEy(cy2!lKW10yRV7%)HqBNH<VD;ql"
    "pCl@zR!BznVCPrpvCKhH^Ru&eZY%Nfpfklv2NYT)dO*k--U8zvSsBz*#4rQl}2StM}eo!$^Dr(~75)+q@lu}hw*U;25F*P%{u(Wb^admU|@bn4}2@MO6h>S{"
    "3Nli=7$jmA(DJ?6nsH|#kX>Duo=<J#_dCJsj(`U?_wP^8@rOTGDSh;G`<}F*dZQrqT*P+8ljvhOH;^e7Im#<vCcKyc9TMr*Se)9C$^A|5)ef;$K%hzw;fBgL"
    "Q{}uxui!*~SLnMPY1A{%o&VbNWJ6%Nr@uT?vHv!Y_p)3"
)
"""A JPEG of 32 x 24 pixels in four colours of ink, deflated."""


def _coded(kind: str, image: np.ndarray, *how: int) -> bytes:
    return cv2.imencode(kind, image, list(how))[1].tobytes()


def _with_size(png: bytes, width: int, height: int) -> bytes:
    head = b"IHDR" + struct.pack(">II", width, height) + png[24:29]
    return png[:12] + head + struct.pack(">I", zlib.crc32(head)) + png[33:]


def _png_bomb(width: int, height: int) -> bytes:
    """Return a PNG of a few kilobytes that unpacks to `width` x `height` pixels of one bit."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    lines = zlib.compress(bytes((width // 8 + 1) * height), 9)
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", lines) + chunk(b"IEND", b"")


def take_photo(content: bytes) -> str:
    try:
        image, _ = load_photo(content)
    except PhotoError as error:
        if not error.message.strip():
            raise Fault("no sentence") from error
        return "refused"
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        raise Fault(f"a picture of {image.shape} {image.dtype}")
    return "opened"


# Documents


def decks() -> list[str]:
    return [deck_to_toml(shipped_deck(name)) for name in ("example", "rulebook")]


def take_deck(text: str) -> str:
    try:
        deck_from_toml(text)
    except GameError as error:
        return told(error)
    return "read"


def settings() -> list[str]:
    docs = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    return [
        (ROOT / "systemd" / "settings.toml").read_text(encoding="utf-8"),
        docs.split("```toml\n")[1].split("```")[0],
    ]


def take_settings(text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "settings.toml"
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            load_config(file)
        except ConfigError as error:
            if not str(error).strip():
                raise Fault("no sentence") from error
            return "refused"
    return "read"


def played() -> list[dict[str, Any]]:
    """Return a whole game of each kind, as `jurado replay` takes it."""
    return [
        play_whole(game, next(iter(sample_setups(game)))[1], random.Random(key)).document
        for key, game in games().items()
    ]


def positions() -> list[dict[str, Any]]:
    """Return final positions, as `jurado score` takes them: the examples of docs/moves.md."""
    blocks = re.findall(r"```json\n(.*?)```", (ROOT / "docs" / "moves.md").read_text(encoding="utf-8"), re.DOTALL)
    return [document for document in map(json.loads, blocks) if "game" in document and "moves" not in document]


def taking(work: Callable[[Any], Any]) -> Callable[[bytes], str]:
    def take(content: bytes) -> str:
        try:
            work(parse(content))
        except GameError as error:
            return told(error)
        return "read"

    return take


# Taught dice


def lessons() -> tuple[Parser, Parser]:
    """Return the parsers of one lesson and of a file of many."""
    from tests.two_dice import two_dice
    from vision.classify import Classifier
    from vision.enrol import EnrolError, Which, lesson
    from vision.enrol_file import bundle, packed, unbundle, unpacked

    classifier, scene = Classifier(), two_dice()
    known = [
        lesson(classifier, scene.image, die.box, Which(die.die.shape, die.die.colour, ""), die.die.value)
        for die in scene.dice
    ]
    one = [packed(each) for each in known]
    all_of_them = [bundle(known, classifier.digest)]

    def take(work: Callable[[bytes, Any], Any]) -> Callable[[bytes], str]:
        def taken(content: bytes) -> str:
            try:
                work(content, classifier)
            except EnrolError as error:
                if not str(error.message).strip():
                    raise Fault("no sentence") from error
                return "refused"
            return "read"

        return taken

    return (
        Parser(lambda chance: bytes_of(one, chance), take(unpacked)),
        Parser(lambda chance: bytes_of(all_of_them, chance), take(unbundle)),
    )


# HTTP

NAMES = ("none", "carnavalesco", "people", "..", "%2e%2e%2fsettings.toml", "secret", "000001-00000000.jpg", ".hidden")
DIE = {"colour": "red", "value": 3, "shape": "d6"}
BODIES: tuple[dict[str, Any], ...] = (
    {"move": {"move": "roll", "dice": [DIE] * 12}},
    {"move": {"move": "take", "seat": 0, "places": [{"die": 1, "element": "storyline"}]}},
    {"count": 1},
    {"seq": 2},
    {"seq": 2, "die": 0, "to": DIE},
    {"game": "carnavalesco", "setup": {"players": [{"name": "Ana", "table": "practice"}] * 2}, "abandon": True},
    {"game": "roda_de_samba", "setup": {"players": [{"name": "Ana"}, {"name": "Bia"}]}, "abandon": True},
    {"rematch": True, "of": None, "setup": {}, "abandon": True},
    {"text": "good evening", "edits": 0},
    {"proposal": "x-1", "action": "edit", "index": 0, **DIE},
    {"proposal": "x-1", "action": "add", "at": [10, 10]},
    {"proposal": None, "accept_doubtful": True},
    {"reason": "fell", "proposal": None},
    {"division": "D", "numbers": {str(number): 4 for number in range(4, 25)}},
    {"deck": {"name": "ours", "instruments": [], "sambists": []}},
    {"toml": 'name = "ours"\n'},
    {"colours": ["red", "yellow", "green", "blue", "white", "black"], "tints": {"red": "#D02438"}},
    {"die": "red d6"},
    {"code": CODE, "seat": 0},
    {"seat": 1},
    {"part": "parade 1", "step": 1},
    {"lamp": "blink"},
    {"names": {"0": "pips"}, "colours_only": True},
)
FIELDS = ("code", "seat", "pin", "name", "people", "to", "back", "language", "text", "empty")
QUERIES = (
    "since",
    "client",
    "seat",
    "page",
    "game",
    "player",
    "code",
    "to",
    "lang",
    "division",
    "move",
    "die",
    "watch",
)
ROLES = ("guest", "watch", "play", "host")
SHUT = 503, 429
"""Statuses that say: not now."""


class House:
    """The pages over a real table, asked by phones in every role."""

    def __init__(self) -> None:
        from tests.webui.stage import Stage

        self._folder = tempfile.TemporaryDirectory()
        self.stage = Stage(Path(self._folder.name), trust_loopback=False)
        self.stage.open_game()
        self.rules = [rule for rule in self.stage.app.url_map.iter_rules() if rule.endpoint != "static"]
        self.phones = [self._phone(role) for role in ROLES]
        self.asked = 0

    def _phone(self, role: str) -> Any:
        phone = self.stage.app.test_client()
        if role != "guest":
            phone.post("/api/join", json={"code": CODE, "seat": None if role == "watch" else 0})
        if role == "host":
            phone.post("/host", data={"pin": self.stage.keys.pin})
        return phone

    def take(self, wanted: dict[str, Any]) -> str:
        """Send a request; return its status. Raises `Fault`."""
        self.asked += 1
        if self.asked % 250 == 0:
            # Some acts send phones away, and wrong codes make them wait.
            self.stage.seconds += 4000
            self.phones = [self._phone(role) for role in ROLES]
        rule = self.rules[wanted["route"] % len(self.rules)]
        path = re.sub(r"<[^>]*>", sendable(wanted["name"])[:300].replace("?", "").replace("#", ""), rule.rule)
        method = wanted["method"]
        if method not in rule.methods and wanted["route"] % 5:
            method = "POST" if "POST" in rule.methods else "GET"
        query = {name: sendable(value) for name, value in wanted["query"].items()}
        how = {"query_string": query, **({} if method in ("GET", "HEAD", "OPTIONS") else self._content(wanted))}
        before = self.stage.journal.last_seq
        answer = self.phones[wanted["role"]].open(path, method=method, buffered=False, **how)
        streams = rule.endpoint == "live.live" and answer.status_code == 200
        content = b"" if streams else answer.get_data()
        answer.close()
        self._judge(f"{method} {path}", answer, content, written=self.stage.journal.last_seq != before)
        return str(answer.status_code)

    def _content(self, wanted: dict[str, Any]) -> dict[str, Any]:
        if "json" not in wanted:
            return {name: wanted[name] for name in ("data", "content_type") if name in wanted}
        body = wanted["json"]
        if wanted["decided"] and isinstance(body, dict):
            body = {**self.stage.sent(), "id": wanted["id"], **body}
        return {"data": json.dumps(body).encode("utf-8", "surrogatepass"), "content_type": "application/json"}

    @staticmethod
    def _judge(asked: str, answer: Any, content: bytes, *, written: bool) -> None:
        status = answer.status_code
        if status >= 500 and status not in SHUT:
            raise Fault(f"{asked}: {status} {content[:300]!r}")
        if status >= 400 and written:
            raise Fault(f"{asked}: {status}, and something was written")
        if b"Traceback" in content:
            raise Fault(f"{asked}: a traceback")
        for name in ("Content-Security-Policy", "X-Content-Type-Options"):
            if name not in answer.headers:
                raise Fault(f"{asked}: {status} without {name}")
        if status >= 400 and asked.split()[1].startswith(("/api/", "/photos/")) and not asked.startswith("HEAD"):
            shape = json.loads(content)
            if not {"error"} <= set(shape) <= {"error", "state"} or set(shape["error"]) != {"code", "message", "field"}:
                raise Fault(f"{asked}: another error shape: {content[:300]!r}")

    def close(self) -> None:
        self.stage.close()
        self._folder.cleanup()


class Houses:
    """One house after another: a table on which thousands of acts were tried is put away for a fresh one."""

    MOST = 4000

    def __init__(self) -> None:
        self._house: House | None = None

    def take(self, wanted: dict[str, Any]) -> str:
        if self._house is not None and self._house.asked >= self.MOST:
            self._house.close()
            self._house = None
        if self._house is None:
            self._house = House()
        return self._house.take(wanted)


def sendable(text: str) -> str:
    """Return a text as a browser can send it."""
    return text.encode("utf-8", "replace").decode()


def make_request(chance: random.Random) -> dict[str, Any]:
    """Return a request by chance; which route and which version it is for is settled when it is sent."""
    wanted = {
        "route": chance.randrange(10**6),
        "role": chance.randrange(4),
        "name": chance.choice((*NAMES, *WORDS)),
        "query": {chance.choice(QUERIES): chance.choice(WORDS) for _ in range(chance.randrange(3))},
        "method": chance.choice(("GET", "POST", "POST", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH")),
        "id": f"input-{chance.randrange(10**12)}",
        "decided": chance.random() < 0.9,
    }
    kind = chance.random()
    if kind < 0.6:
        wanted["json"] = value_of(chance.choice(BODIES), chance) if chance.random() < 0.8 else chance.choice(BODIES)
    elif kind < 0.75:
        wanted["data"], wanted["content_type"] = json_of(list(BODIES), chance), "application/json"
    elif kind < 0.9:
        name = chance.choice(FIELDS)
        wanted["data"] = {name: sendable(chance.choice(WORDS))}
    else:
        wanted["data"] = chance.randbytes(chance.randrange(300))
        wanted["content_type"] = chance.choice(
            ("image/jpeg", "application/zip", "multipart/form-data; boundary=x", "text/plain", "")
        )
    return wanted


PARSERS: dict[str, Callable[[], Parser]] = {
    "photo": lambda: Parser(_spoilt(pictures()), take_photo),
    "deck": lambda: Parser(_of_text(decks()), take_deck),
    "settings": lambda: Parser(_of_text(settings()), take_settings),
    "replay": lambda: Parser(_of_json(played()), taking(replay_document)),
    "score": lambda: Parser(_of_json(positions()), taking(score_document)),
    "http": lambda: Parser(make_request, Houses().take),
    "lesson": lambda: lessons()[0],
    "lessons": lambda: lessons()[1],
}
"""What makes each parser, by its name."""


def _spoilt(good: list[bytes]) -> Callable[[random.Random], bytes]:
    return lambda chance: bytes_of(good, chance) if chance.random() < 0.97 else chance.choice(good)


def _of_text(good: list[str]) -> Callable[[random.Random], str]:
    return lambda chance: text_of(good, chance)


def _of_json(good: list[Any]) -> Callable[[random.Random], bytes]:
    return lambda chance: json_of(good, chance)


@contextmanager
def complaints() -> Iterator[list[str]]:
    """Hand on the list of what is logged as an error meanwhile: a traceback that was caught is one all the same."""
    found: list[str] = []

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(self.format(record))

    ear = Ear(logging.ERROR)
    logging.getLogger().addHandler(ear)
    try:
        yield found
    finally:
        logging.getLogger().removeHandler(ear)


def inputs(run: Run, only: str | None = None) -> dict[str, Any]:
    """Hand `run.size` inputs to each parser; return the figures."""
    wrong: list[str] = [line for step in run.done for line in step["wrong"]]
    result: dict[str, Any] = {}
    for name, make in PARSERS.items():
        if only not in (None, name):
            continue
        parser = make()
        count = run.size
        results: Counter[str] = Counter()
        done = sum(step["count"] for step in run.done if step["parser"] == name)
        memory, began = [], time.monotonic()
        while done < count:
            some = min(CHUNK, count - done)
            step = _chunk(run.seed, name, parser, done, some)
            results.update(step["results"])
            run.note(step)
            wrong += step["wrong"]
            done += some
            memory.append(resident_mb(os.getpid()))
            run.say(f"{name}: {done}/{count}, {memory[-1]:.0f} MB {step['wrong'][:1] or ''}")
        settled = memory[len(memory) // 4 :] or [0.0]
        result[name] = {
            "inputs": done,
            "results": dict(results.most_common(12)),
            "memory, MB": [round(settled[0]), round(settled[-1])],
            "seconds": round(time.monotonic() - began),
        }
    return {**result, "wrong": wrong}


def _chunk(seed: int, name: str, parser: Parser, first: int, count: int) -> dict[str, Any]:
    results: Counter[str] = Counter()
    wrong: list[str] = []
    slowest = 0.0
    with complaints() as said:
        for number in range(first, first + count):
            made = parser.make(random.Random(f"{seed} {name} {number}"))
            began = time.monotonic()
            try:
                results[parser.take(made)] += 1
            except Exception as error:
                wrong.append(f"{name} {number}: {type(error).__name__}: {str(error)[:400]}")
            slowest = max(slowest, time.monotonic() - began)
            if said:
                wrong.append(f"{name} {number}: {said[0][-600:]}")
                said.clear()
    return {
        "parser": name,
        "count": count,
        "results": dict(results),
        "slowest_s": round(slowest, 2),
        "wrong": wrong[:20],
    }
