"""The command `jurado enrol`: show the table's own dice, see what is known of them, forget, carry elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from device.usage import (
    Command,
    fail,
    home_option,
    language_option,
    print_json,
    put,
    refused,
    spoken,
    unwritable,
)
from engine.dice import COLOURS, DieState, Shape, known_colour
from engine.game import GameError, InvalidInput
from engine.play import COLOURS as COLOURS_EVENT
from engine.words import joined, listed, quoted, row, say, say_many, told

if TYPE_CHECKING:
    from device.taught import TaughtDice
    from vision.enrol import Lesson, Which
    from vision.enrol_compare import Doubtful
    from vision.reader import Reader
    from vision.reading import ReadDie

PLAINLY = 0.9
"""Chance of a shape from which on another one that is told may be a slip."""


@click.command(cls=Command)
@click.option(
    "--die",
    "dice",
    multiple=True,
    help='What lies there, such as "black d20 17": one for each die from left to right, or one for all of them. '
    "Without a value: for its colour alone.",
)
@click.option("--name", default="", help="A name where two dice of a shape and colour look different, such as pips.")
@click.option("--forget", help='Forget a die ("black d20"), one picture (its id), or all.')
@click.option("--export", "export_to", type=click.Path(path_type=Path), help="Write all taught dice into this file.")
@click.option("--import", "import_from", type=click.Path(path_type=Path), help="Add the dice of such a file.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--anyway", is_flag=True, help="Teach it as told, also a new colour, and what looks like another die.")
@home_option
@language_option
@click.argument("photos", nargs=-1, metavar="[PHOTO…]")
def enrol(
    dice: tuple[str, ...],
    name: str,
    forget: str | None,
    export_to: Path | None,
    import_from: Path | None,
    as_json: bool,
    anyway: bool,
    home: Path | None,
    photos: tuple[str, ...],
) -> None:
    """Teach the table's own dice from photographs, and list, forget or carry what was taught."""
    from device.config import home as usual_home
    from device.taught import FOLDER, TaughtDice, fits_words

    folder = (home or usual_home()) / FOLDER
    done: list[str] = []
    try:
        if sum(map(bool, (photos, forget, export_to, import_from))) > 1:
            raise InvalidInput("bad_options", say("Photographs, --forget, --export and --import go one at a time."))
        if dice and not photos:
            raise InvalidInput("bad_options", say("--die says what photographs show. Name the photographs too."), "die")
        reader = cache(_reader)
        taught = TaughtDice(folder, lambda: reader().classifier)
        if photos:
            if not dice:
                said = say('Say what the photographs show, such as --die "black d20 17".')
                raise InvalidInput("bad_options", said, "die")
            known = [parsed(words, name) for words in dice]
            if not anyway:
                _check_colours((which.colour for which, _ in known), folder.parent, taught)
            reader().teach(taught.lessons)
            lessons = [one for photo in photos for one in _lessons(reader(), photo, known, anyway=anyway)]
            done.append(_added(taught.add(lessons)))
        if forget is not None:
            count = taught.forget(fits_words(forget))
            if not count:
                raise InvalidInput(
                    "unknown_die",
                    say("No die that was taught is {words}. Nothing was forgotten.", words=forget),
                    "forget",
                )
            done.append(say_many("{count} picture is forgotten.", "{count} pictures are forgotten.", count))
        if import_from is not None:
            done.append(_added(taught.import_from(_content(import_from))))
        if export_to is not None:
            _export(taught, export_to)
            done.append(say("The taught dice are in {path}.", path=export_to))
        listed = _listed(taught)
    except GameError as error:
        fail(error, as_json)
    if as_json:
        print_json(told({"done": done, **listed}, spoken()))
        return
    for line in done:
        put(told(line, spoken()))
    for line in _lines(listed):
        put(told(line, spoken()))


def knowing(reader: Reader, home: Path | None) -> None:
    """Let `reader` know the dice that the table in `home` (None: the usual folder) was taught."""
    from device.config import home as usual_home
    from device.taught import FOLDER, TaughtDice

    folder = (home or usual_home()) / FOLDER
    if folder.is_dir():
        reader.teach(TaughtDice(folder, lambda: reader.classifier).lessons)


def _reader() -> Reader:
    from vision.reader import Reader

    try:
        return Reader()
    except (RuntimeError, ValueError, OSError) as error:
        raise GameError("model_missing", error.args[0] if error.args else type(error).__name__) from error


def _lessons(
    reader: Reader, photo: str, known: Sequence[tuple[Which, int | None]], *, anyway: bool
) -> Iterator[Lesson]:
    """Yield the lessons of a photograph that shows the `known` dice. Raises `GameError`."""
    from vision.enrol import EnrolError, lesson
    from vision.reader import PhotoError, load_photo

    try:
        image, _ = load_photo(Path(photo))
    except PhotoError as error:
        raise InvalidInput("bad_photo", error.message, "photo") from error
    seen = reader.read(image).dice
    if not seen:
        said = say(
            "No die is seen in {photo}. Nothing was taught. Photograph the dice from above, from nearer and in better "
            "light.",
            photo=photo,
        )
        raise InvalidInput("other_dice", said, "die")
    if len(known) not in (1, len(seen)):
        raise InvalidInput("other_dice", _another_number(photo, len(seen), len(known)), "die")
    shown = list(known) * (len(seen) if len(known) == 1 else 1)
    if not anyway:
        _check_shown(photo, seen, shown)
    try:
        leans = reader.classifier.leans(image, [die.box for die in seen])
        for die, (which, value), lean in zip(seen, shown, leans, strict=True):
            yield lesson(reader.classifier, image, die.box, which, value, lean=lean)
    except EnrolError as error:
        raise InvalidInput(error.code, error.message) from error


def _another_number(photo: str, seen: int, told: int) -> str:
    shows = say_many("{photo} shows {count} die,", "{photo} shows {count} dice,", seen, photo=photo)
    tells = say_many("and {count} was told with --die.", "and {count} were told with --die.", told)
    return say(
        "{shows} {tells} Nothing was taught. Name one for each, from left to right, or part the dice and photograph "
        "again.",
        shows=shows,
        tells=tells,
    )


def _check_colours(colours: Iterable[str], home: Path, taught: TaughtDice) -> None:
    """Raise `InvalidInput` for a colour that neither Jurado nor this table knows, and that may be a slip."""
    own = {one.which.colour for one in taught.lessons} | set(_colours_of(home))
    for colour in colours:
        if colour in own or known_colour(colour) is not None:
            continue
        names = [*COLOURS, *sorted(own - set(COLOURS))]
        near = get_close_matches(colour, names, n=1)
        asked = [say("Is it {name}?", name=name) for name in near]
        said = say(
            "No colour {colour} is known here. Nothing was taught. Known are {known}. If it is the name of a colour of "
            "your own, add --anyway.",
            colour=quoted(colour),
            known=row(names),
        )
        raise InvalidInput("unknown_colour", joined(said, *asked), "die")


def _colours_of(home: Path) -> Sequence[str]:
    """Return the names that the table in `home` has given its dice's colours."""
    from device.config import Config
    from engine.journal import JournalError, read_events

    try:
        said = [event.payload["colours"] for event in read_events(Config(home).journal) if event.kind == COLOURS_EVENT]
    except JournalError:
        return ()
    return said[-1] if said else ()


def _check_shown(photo: str, seen: Sequence[ReadDie], told: Sequence[tuple[Which, int | None]]) -> None:
    """Raise `InvalidInput` where a die is plainly seen to be of another shape, or to show another value, than told."""
    other: list[str] = []
    for at, (die, (which, value)) in enumerate(zip(seen, told, strict=True), 1):
        if die.shape is not which.shape and die.confidence.shape >= PLAINLY:
            other.append(say("die {number} looks like a {seen}", number=at, seen=die.shape.value))
        elif die.shape is which.shape and value not in (None, die.value) and die.state is DieState.READ:
            other.append(say("die {number} looks like a {value}", number=at, value=die.value))
    if other:
        said = say(
            "In {photo}, from left to right, {dice}. Nothing was taught. Say with one --die for each what lies there, "
            "or add --anyway if it is as you said.",
            photo=photo,
            dice=listed(other),
        )
        raise InvalidInput("other_dice", said, "die")


def _added(count: int) -> str:
    return say_many("{count} picture is new.", "{count} pictures are new.", count)


def parsed(words: str, name: str = "") -> tuple[Which, int | None]:
    """Return the die and the value (None: its colour alone) that "black d20 17" means. Raises `InvalidInput`."""
    from vision.enrol import EnrolError, checked

    parts = words.lower().split()
    shapes = [part for part in parts if part in tuple(Shape)]
    values = [part for part in parts if part.isdecimal() and part.isascii()]
    colours = [part for part in parts if part not in shapes and part not in values]
    if len(shapes) != 1 or len(colours) != 1 or len(values) > 1:
        raise InvalidInput(
            "bad_die",
            say(
                '“{words}” is no die. Name its colour, its shape and what it shows, such as "black d20 17".',
                words=words,
            ),
            "die",
        )
    value = int(values[0]) if values else None
    if value == 0 and shapes[0] == Shape.D10:
        value = 10
    try:
        return checked(shapes[0], colours[0], value, name)
    except EnrolError as error:
        raise InvalidInput(error.code, error.message, "die") from error


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidInput(
            "no_such_file",
            say("The file {file} cannot be read ({why}). Check its name.", file=path, why=error.strerror),
            "import",
        ) from error


def _export(taught: TaughtDice, path: Path) -> None:
    if not taught.lessons:
        raise InvalidInput("nothing_taught", say("No die was taught yet, so no file was written."), "export")
    if (why := refused(path)) is not None:
        raise InvalidInput("bad_output", why, "export")
    try:
        path.write_bytes(taught.exported())
    except OSError as error:
        raise InvalidInput("bad_output", unwritable(path, error), "export") from error


def _listed(taught: TaughtDice) -> dict[str, Any]:
    """Return what is known of each die, and what in it is doubtful."""
    from device.taught import told_dice

    lessons = taught.lessons
    dice = []
    for which, some in told_dice(lessons):
        faces = {value: sum(one.value == value for one in some) for value in range(1, which.shape.faces + 1)}
        shown = {value: count for value, count in faces.items() if count}
        dice.append(
            {
                "die": str(which),
                "shape": which.shape.value,
                "colour": which.colour,
                "name": which.name,
                "faces": shown,
                "missing": [value for value in faces if value not in shown] if shown else [],
                "colour_only": sum(one.value is None for one in some),
                "lessons": [one.as_json() for one in some],
            }
        )
    return {"dice": dice, "doubtful": [_doubt(one) for one in _doubtful(lessons)], "damaged": list(taught.damaged)}


def _doubtful(lessons: Sequence[Lesson]) -> Sequence[Doubtful]:
    from vision.detect import card, models_folder
    from vision.enrol_compare import Comparison

    return Comparison(lessons, card("pose", models_folder())["calibration"]).doubtful


def _doubt(one: Doubtful) -> dict[str, Any]:
    """Return what is said of a lesson that looks like another face."""
    which, value = one.seems
    return {
        "lesson": one.lesson.id,
        "message": say(
            "A picture taught as {die}, {value}, looks like {other}, {seems}. Forget it if it was told wrongly: {id}.",
            die=str(one.lesson.which),
            value=one.lesson.value,
            other=str(which),
            seems=value,
            id=one.lesson.id,
        ),
    }


def _lines(listed: dict[str, Any]) -> list[str]:
    """Return what is known, in sentences."""
    if not listed["dice"]:
        return [say('No die was taught yet. Show one: jurado enrol PHOTO --die "black d20 17".')]
    lines: list[str] = []
    for die in listed["dice"]:
        known, whole = len(die["faces"]), len(die["faces"]) + len(die["missing"])
        if not die["faces"]:
            lines.append(
                say_many(
                    "{die}: its colour, {count} picture",
                    "{die}: its colour, {count} pictures",
                    die["colour_only"],
                    die=die["die"],
                )
            )
        elif die["missing"]:
            lines.append(
                say(
                    "{die}: {known} of {whole} faces, still missing {missing}",
                    die=die["die"],
                    known=known,
                    whole=whole,
                    missing=row(map(str, die["missing"])),
                )
            )
        else:
            lines.append(say("{die}: all {whole} faces", die=die["die"], whole=whole))
    lines += [one["message"] for one in listed["doubtful"]]
    if listed["damaged"]:
        lines.append(
            say(
                "These files hold no lesson and are passed over: {files}. Delete them, and show these dice again.",
                files=row(listed["damaged"]),
            )
        )
    return lines
