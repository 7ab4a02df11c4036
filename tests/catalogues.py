"""The catalogues of sentences: `python -m tests.catalogues` brings every .po up to date, and makes its .mo.

A literal of `say` or `say_many` in `engine/` is a message of `engine/translations`; one in a game's folder, in `vision`
or in `device` is of that folder's own `translations`, unless the shared ones have it. The pages have theirs in
`webui/translations`: what the server says, `_` in templates, `t` and `n` in scripts; the scripts get their part as a
file of JSON. A new message gets an empty translation, to be filled in by hand; one that the code no longer has is
dropped. Then run the command again, for the .mo.
"""

from __future__ import annotations

import ast
import json
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from engine.dice import COLOURS
from engine.words import DOMAIN, LANGUAGES

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "engine"
PAGES = ROOT / "webui"
OTHERS = tuple(language for language in LANGUAGES if language != "en")
PLURAL_FORMS = "nplurals=2; plural=(n != 1);"

Key = tuple[str, str | None]
"""A message, and its form for many (None where it counts nothing)."""

Words = tuple[str, ...]
"""The translation of a message, or of one and of many; empty texts where there is none yet."""


@dataclass(slots=True)
class Catalogue:
    """The messages of one folder: where each is said."""

    folder: Path
    messages: dict[Key, list[str]] = field(default_factory=dict)

    def path(self, language: str, suffix: str) -> Path:
        return self.folder / "translations" / language / "LC_MESSAGES" / f"{DOMAIN}{suffix}"


def catalogues() -> list[Catalogue]:
    """Return the shared catalogue and those of the games, with every message in exactly one."""
    shared = Catalogue(ENGINE, {(colour, None): ["engine/dice.py"] for colour in COLOURS})
    shared.messages[("and", None)] = ["engine/words.py"]
    _read(shared, sorted(ENGINE.glob("*.py")))
    found = [shared]
    for folder in sorted(init.parent for init in ENGINE.glob("*/__init__.py")):
        game = Catalogue(folder)
        _read(game, sorted(folder.rglob("*.py")))
        game.messages = {key: where for key, where in game.messages.items() if key not in shared.messages}
        found.append(game)
    for folder in (ROOT / "vision", ROOT / "device"):
        room = Catalogue(folder)
        _read(room, sorted(folder.rglob("*.py")))
        room.messages = {key: where for key, where in room.messages.items() if key not in shared.messages}
        found.append(room)
    pages = Catalogue(PAGES)
    for kind in ("*.py", "templates/**/*.html", "static/js/**/*.js"):
        _read(pages, sorted(PAGES.rglob(kind)))
    found.append(pages)
    return found


def _read(catalogue: Catalogue, sources: list[Path]) -> None:
    for source in sources:
        for key in said(source):
            where = catalogue.messages.setdefault(key, [])
            if (name := str(source.relative_to(ROOT))) not in where:
                where.append(name)


_TEXT = r"""\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')\s*"""
_MARKS = {".html": "_", ".js": "t"}


def said(source: Path) -> Iterator[Key]:
    """Yield every message of a module, a template or a script. Raises `ValueError` when one is no literal."""
    text = source.read_text(encoding="utf-8")
    if source.suffix == ".py":
        yield from _said_in_python(source, text)
        return
    for call in re.finditer(rf"(?<![\w.$]){_MARKS[source.suffix]}\((?:{_TEXT})?", text):
        if call[1] is None:
            raise ValueError(f"{source}: what is said must be a literal: {text[call.start() : call.end() + 40]!r}")
        yield ast.literal_eval(call[1]), None
    if source.suffix == ".js":
        for call in re.finditer(rf"(?<![\w.$])n\([^;]*?,{_TEXT},{_TEXT}[,)]", text):
            yield ast.literal_eval(call[1]), ast.literal_eval(call[2])


def _said_in_python(source: Path, text: str) -> Iterator[Key]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("say", "say_many"):
            literals = node.args[: 1 if node.func.id == "say" else 2]
            texts = [one.value for one in literals if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            if not texts or len(texts) != len(literals):
                raise ValueError(f"{source}:{node.lineno}: what is said must be a literal")
            yield texts[0], texts[1] if len(texts) > 1 else None


def read_po(path: Path) -> dict[Key, Words]:
    """Return the translations in a .po file; none when there is no file."""
    if not path.exists():
        return {}
    found: dict[Key, Words] = {}
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        texts: dict[str, str] = {}
        name = ""
        for line in block.splitlines():
            if line.startswith("msg"):
                name, line = line.split(" ", 1)
                texts[name] = ""
            if line.startswith('"'):
                texts[name] += ast.literal_eval(line)
        if texts.get("msgid"):
            many = texts.get("msgid_plural")
            forms = ("msgstr",) if many is None else ("msgstr[0]", "msgstr[1]")
            found[texts["msgid"], many] = tuple(texts[form] for form in forms)
    return found


def po_text(messages: dict[Key, list[str]], words: dict[Key, Words], language: str) -> str:
    """Return the text of a .po file with every one of `messages`."""
    head = "\n".join(_quoted(f"{line}\n") for line in _header(language).splitlines())
    blocks = [f'msgid ""\nmsgstr ""\n{head}']
    for key in sorted(messages, key=lambda key: (messages[key], key[0], key[1] or "")):
        one, many = key
        lines = [f"#: {' '.join(messages[key])}"]
        if "{" in one:
            lines.append("#, python-brace-format")
        lines.append(f"msgid {_quoted(one)}")
        texts = words.get(key, ("",) if many is None else ("", ""))
        if many is None:
            lines.append(f"msgstr {_quoted(texts[0])}")
        else:
            lines.append(f"msgid_plural {_quoted(many)}")
            lines += [f"msgstr[{at}] {_quoted(text)}" for at, text in enumerate(texts)]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def mo_bytes(words: dict[Key, Words], language: str) -> bytes:
    """Return the .mo file (GNU gettext's binary format, revision 0) of the messages that are translated."""
    texts = {"": _header(language)}
    for (one, many), translated in words.items():
        if all(translated):
            texts[one if many is None else f"{one}\0{many}"] = "\0".join(translated)
    pairs = sorted((key.encode(), text.encode()) for key, text in texts.items())
    start = 7 * 4 + 16 * len(pairs)
    tables: list[bytes] = []
    data = b""
    for column in (0, 1):
        for pair in pairs:
            tables.append(struct.pack("<II", len(pair[column]), start + len(data)))
            data += pair[column] + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, 0)
    return head + b"".join(tables) + data


def scripts_json(catalogue: Catalogue, words: dict[Key, Words]) -> str:
    """Return the translations that a script of the pages asks for, by the English text."""
    found: dict[str, str] = {}
    for (one, many), translated in words.items():
        if any(where.endswith(".js") for where in catalogue.messages[one, many]) and all(translated):
            found |= zip((one,) if many is None else (one, many), translated, strict=True)
    return json.dumps(found, ensure_ascii=False, indent=0, sort_keys=True) + "\n"


def _header(language: str) -> str:
    return f"Content-Type: text/plain; charset=UTF-8\nLanguage: {language}\nPlural-Forms: {PLURAL_FORMS}\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def update() -> int:
    """Write every catalogue anew, and return how many messages still have no translation."""
    lacking = 0
    for catalogue in catalogues():
        for language in OTHERS:
            path = catalogue.path(language, ".po")
            known = read_po(path)
            words = {key: known[key] for key in catalogue.messages if key in known}
            lacking += sum(key not in words or not all(words[key]) for key in catalogue.messages)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(po_text(catalogue.messages, words, language), encoding="utf-8")
            catalogue.path(language, ".mo").write_bytes(mo_bytes(words, language))
            if catalogue.folder == PAGES:
                catalogue.path(language, ".json").write_text(scripts_json(catalogue, words), encoding="utf-8")
    return lacking


if __name__ == "__main__":
    print(f"{update()} translations are still missing.")
