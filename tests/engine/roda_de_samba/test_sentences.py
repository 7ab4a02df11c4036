"""Every sentence of the game can be told in every language, and every complaint is documented."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from engine.game import InvalidInput, games
from engine.roda_de_samba import DECK_KEYS, PLAYER_KEYS, RULES, SETUP_KEYS, deck_from_toml, shipped_deck
from engine.roda_de_samba.cards import ACTIONS, HELPS, PER
from engine.roda_de_samba.marks import TALLY_KEYS
from engine.roda_de_samba.moves import MOVES, SOURCES
from engine.words import Sentence, told
from tests.catalogues import OTHERS, catalogues
from tests.engine.roda_de_samba.sentences import DECKS, PEOPLE, Heard, everything

ROOT = Path(__file__).resolve().parents[3]
DOC = (ROOT / "docs" / "moves.md").read_text(encoding="utf-8")
CHAPTER = DOC.split("\n## roda_de_samba\n")[1].split("\n## ")[0]
COMMON = DOC.split("\n## ")[0]

NAMES = (
    {*PEOPLE, "Player 1", "Player 2", "Player 3", "Player 4", "Lapa", "Nobody", "Rosa", "Dita", "A", "B"}
    | {"ana", "tia ciata", "bongo", "gongo", "apito", "Surdo", "Súrdo", "Malandro", "?", "?red", "i0", "i2"}
    | {one.name for one in (*shipped_deck("example").instruments, *shipped_deck("example").sambists)}
)
"""Names of people and cards, which no language changes."""

KEYS = (
    {*DECK_KEYS, *PLAYER_KEYS, *SETUP_KEYS, *TALLY_KEYS, *MOVES, *SOURCES, *ACTIONS, *HELPS, *PER, *games()}
    | {"move", "seat", "from", "colour", "last", "count", "instrument", "number", "numbers", "space", "sambist", "slot"}
    | {"opened", "charm", "agreed", "card", "pile", "table", "circle", "needs", "woman", "brings", "action", "helps"}
    | {"game", "tally", "per", "points", "null", "true", "false", "example", "rulebook", "[[instruments]", "name ="}
    | {rule.key for rule in RULES}
    | {str(value) for rule in RULES for value in rule.values}
)
"""What stands in files and requests, and is the same in every language."""

TYPED = re.compile(r"'.*'|None|True|red|x|-?[\d.]+|\[.*\]|\{\}|[a-z_]+([\[.][\w\].]+)+", re.DOTALL)
"""What somebody typed, as it was typed; and paths such as players[0].name."""


@cache
def heard() -> Heard:
    return everything()


def parts(sentence: Sentence) -> Iterator[Sentence | str]:
    """Yield a sentence, the sentences in it, and the plain texts in it."""
    yield sentence
    for value in sentence.values.values():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, Sentence):
                yield from parts(one)
            elif isinstance(one, str):
                yield one


def test_every_message_of_the_catalogue_is_said() -> None:
    catalogue = next(one for one in catalogues() if one.folder.name == "roda_de_samba")
    said = {(one.message, one.many) for whole in heard().sentences for one in parts(whole) if isinstance(one, Sentence)}
    assert not [key for key in catalogue.messages if key not in said]


def test_no_complaint_is_plain_english() -> None:
    assert not heard().plain


def test_what_is_filled_into_a_sentence_is_a_name_a_key_or_a_sentence_itself() -> None:
    texts = {one for whole in heard().sentences for one in parts(whole) if not isinstance(one, Sentence)}
    assert not {one for one in texts - NAMES - KEYS if not TYPED.fullmatch(one)}


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_told_in_every_language(language: str) -> None:
    same = [one for one in heard().sentences if re.search(r"[a-z]{3}", one.message) and told(one, language) == one]
    assert same == [] or {str(one) for one in same} == {"No"}


@pytest.mark.parametrize("language", ["en", *OTHERS])
def test_one_is_no_several(language: str) -> None:
    several = re.compile(
        r"(?<![\d-])1 (points|cards|spaces|instruments|sambas|malandros|places|pontos|cartas|espaços|instrumentos"
        r"|lugares|puntos|espacios|sambistas)\b"
    )
    assert not [text for one in heard().sentences if several.search(text := told(one, language))]


def test_every_complaint_names_a_field_and_ends_as_a_sentence() -> None:
    for (source, code), error in heard().complaints.items():
        assert error.message.endswith("."), error.message
        assert error.field is not None or (source, code) == ("load", "not_a_state"), (source, code)


@pytest.mark.parametrize("move", MOVES)
def test_every_complaint_of_a_move_is_documented_with_it(move: str) -> None:
    section = CHAPTER.split(f"\n### {move}\n")[1].split("\n### ")[0]
    listed = section.split("Errors: ")[1] + COMMON
    codes = {code for source, code in heard().complaints if source == move}
    assert not [code for code in sorted(codes - {"bad_name", "bad_colour"}) if f"`{code}`" not in listed]


@pytest.mark.parametrize("source", ["Setup", "The deck", "Final positions (`jurado score`)"])
def test_every_complaint_of_a_document_is_documented_with_it(source: str) -> None:
    section = CHAPTER.split(f"\n### {source}\n")[1].split("\n### ")[0]
    listed = section.split("Errors: ")[1] + COMMON
    kind = {"Setup": "setup", "The deck": "deck"}.get(source, "score")
    codes = {code for one, code in heard().complaints if one == kind}
    assert not [code for code in sorted(codes - {"bad_name", "bad_colour"}) if f"`{code}`" not in listed]


def test_no_code_is_documented_that_the_game_does_not_have() -> None:
    modules = [ROOT / "engine" / "fields.py", *(ROOT / "engine" / "roda_de_samba").glob("*.py")]
    sources = "".join(path.read_text("utf-8") for path in modules)
    paragraphs = re.findall(r"Errors: (.*?)\n\n", CHAPTER, re.DOTALL)
    codes = {code for one in paragraphs for code in re.findall(r"`([a-z]+_[a-z_]+)`", one)}
    assert len(codes) > 40
    assert not [code for code in sorted(codes) if f'"{code}"' not in sources]


@pytest.mark.parametrize(("text", "line"), DECKS.items())
def test_a_mistake_in_a_deck_file_is_told_with_its_line(text: str, line: int | None) -> None:
    with pytest.raises(InvalidInput) as error:
        deck_from_toml(text)
    begins = re.match(r"Line (\d+) of the file", error.value.message)
    assert (int(begins[1]) if begins else None) == line
    assert error.value.field
