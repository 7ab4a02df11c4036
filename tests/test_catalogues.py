"""Every sentence of the engine can be told in every language, with all of its values in it."""

from __future__ import annotations

import gettext
import io
import string

import pytest

from engine.carnavalesco import ELEMENT_NAMES
from engine.words import decimal, joined, listed, named, say, say_many, told
from tests.catalogues import OTHERS, PAGES, Catalogue, catalogues, mo_bytes, po_text, read_po, scripts_json

EVERY = [pytest.param(one, language, id=f"{one.folder.name}-{language}") for one in catalogues() for language in OTHERS]


def names(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize(("catalogue", "language"), EVERY)
def test_every_message_is_translated(catalogue: Catalogue, language: str) -> None:
    words = read_po(catalogue.path(language, ".po"))
    lacking = [key[0] for key in catalogue.messages if not all(words.get(key, ("",)))]
    assert not lacking, "run python -m tests.catalogues, fill the empty translations in, and run it again"
    assert set(words) == set(catalogue.messages), "run python -m tests.catalogues"


@pytest.mark.parametrize(("catalogue", "language"), EVERY)
def test_a_translation_holds_the_values_of_its_message(catalogue: Catalogue, language: str) -> None:
    for (one, many), translated in read_po(catalogue.path(language, ".po")).items():
        originals = (one,) if many is None else (one, many)
        for original, text in zip(originals, translated, strict=True):
            assert names(text) - {"count"} == names(original) - {"count"}, text
            assert many is not None or names(text) == names(original), text


@pytest.mark.parametrize(("catalogue", "language"), EVERY)
def test_what_is_compiled_is_what_is_written(catalogue: Catalogue, language: str) -> None:
    words = read_po(catalogue.path(language, ".po"))
    compiled = catalogue.path(language, ".mo").read_bytes()
    assert compiled == mo_bytes(words, language), "run python -m tests.catalogues"
    assert catalogue.path(language, ".po").read_text(encoding="utf-8") == po_text(catalogue.messages, words, language)
    if catalogue.folder == PAGES:
        scripts = catalogue.path(language, ".json").read_text(encoding="utf-8")
        assert scripts == scripts_json(catalogue, words), "run python -m tests.catalogues"
    known = gettext.GNUTranslations(io.BytesIO(compiled))
    for (one, many), translated in words.items():
        told_one = known.gettext(one) if many is None else known.ngettext(one, many, 1)
        assert told_one == translated[0]


def test_a_sentence_is_told_with_its_values_in_the_same_language() -> None:
    die = say("{colour} {value}", colour=named("red"), value=3)
    sentence = say("Two pairs of identical dice ({dice})", dice=listed([die, die]))
    assert sentence == "Two pairs of identical dice (red 3 and red 3)"
    assert told(sentence, "pt") == "Dois pares de dados idênticos (vermelho 3 e vermelho 3)"
    assert told(sentence, "es") == "Dos parejas de dados idénticos (rojo 3 y rojo 3)"
    assert told({"why": [joined(sentence, "Ana.")]}, "es")["why"][0].endswith("(rojo 3 y rojo 3) Ana.")
    assert told(ELEMENT_NAMES["drums"], "pt") == "Bateria"


def test_one_and_many_are_told_apart() -> None:
    def parades(count: int) -> str:
        return str(told(say_many("It took one parade.", "It took {count} parades.", count), "pt"))

    assert (parades(1), parades(3)) == ("Levou um desfile.", "Levou 3 desfiles.")


def test_a_name_of_the_table_stays_as_it_is() -> None:
    assert told(say("{name} ends its career.", name="{Ana}"), "es") == "{Ana} termina su carrera."
    assert told(named("sky_blue"), "pt") == "sky_blue"


def test_a_text_without_a_translation_stays_english() -> None:
    assert told(named("nobody knows this"), "pt") == "nobody knows this"
    assert told(say("{name} ends its career.", name="Ana"), "xx") == "Ana ends its career."


@pytest.mark.parametrize(
    ("last", "told_so"),
    [
        ("Inés", "e Inés"),
        ("Íñigo", "e Íñigo"),
        ("hilo", "e hilo"),
        ("hielo", "y hielo"),
        ("Iago", "y Iago"),
        ("Bia", "y Bia"),
    ],
)
def test_spanish_says_e_for_y_before_its_sound(last: str, told_so: str) -> None:
    assert told(listed(["Ana", last]), "es") == f"Ana {told_so}"
    assert told(listed(["Ana", last]), "pt") == f"Ana e {last}"


@pytest.mark.parametrize(("language", "point"), [("en", "."), ("pt", ","), ("es", ",")])
def test_a_number_within_a_sentence_is_in_the_form_of_its_language(language: str, point: str) -> None:
    figure = say("edges {width} pixels wide, dice {side}", width=decimal(2.96), side=30)
    assert f"3{point}0 p" in told(figure, language)
    assert told(decimal(-0.25, 2), language) == f"-0{point}25"


def test_a_spanish_name_alone_stands_alone() -> None:
    assert told(listed(["Inés"]), "es") == "Inés"
