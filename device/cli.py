"""The command `jurado`. Each command imports only what it needs: scoring a game loads no camera and no models."""

from __future__ import annotations

import errno
import io
import json
import socket
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import click

from engine.game import GameError, InvalidInput
from engine.words import LANGUAGES, told

LONGEST_LINE = 1_000_000
"""Bytes that one document of `jurado score --lines` may have."""

_home = click.option(
    "--home", type=click.Path(path_type=Path), help="Folder of the table's state, in the place of JURADO_HOME."
)
_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")

_language = click.option(
    "--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Language of the sentences."
)


class Failure(click.ClickException):
    """A sentence for people, and exit status 2."""

    exit_code = 2


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="jurado")
def main() -> None:
    """Jurado watches the dice on your table, keeps the score, and explains it."""


@main.command()
@click.option("--demo", is_flag=True, help="Play without a camera: every capture shows freshly rolled, rendered dice.")
@click.option("--host", help="Address to listen on, in the place of web.host.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the page, in the place of web.port (8080).")
@_home
@click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path),
    help="Settings file, in the place of the folder's own.",
)
def serve(demo: bool, host: str | None, port: int | None, home: Path | None, file: Path | None) -> None:
    """Start the table and its page, and print where phones find it."""
    from device.config import ConfigError, load_config

    try:
        config = load_config(file, at=home)
    except ConfigError as error:
        raise Failure(str(error)) from error
    web = replace(config.web, host=host or config.web.host, port=port or config.web.port)
    config = replace(config, web=web)
    from device import service

    try:
        service.serve(config, demo=demo, ready=partial(announce, everywhere=web.host in ("0.0.0.0", "::")))
    except GameError as error:
        raise Failure(error.message) from error
    except OSError as error:
        raise Failure(_not_listening(error, web.host, web.port)) from error


def announce(addresses: Sequence[str], join_code: str, *, everywhere: bool = False) -> None:
    """Print where the table is: its addresses (the best for a phone first), the join code, and a QR code with both.

    `everywhere`: it listens on all addresses of this machine, so on localhost too.
    """
    import segno

    port = addresses[0].removeprefix("http://").rpartition("]")[2].partition(":")[2]
    here = [f"http://localhost{f':{port}' if port else ''}"] if everywhere else []
    for address in [*addresses, *here]:
        click.echo(f"  {address}")
    click.echo(f"  join code: {join_code}\n")
    picture = io.StringIO()
    segno.make(f"{addresses[0].rstrip('/')}/join?code={join_code}", error="l").terminal(picture, border=2, compact=True)
    try:
        click.echo(picture.getvalue())
    except UnicodeEncodeError:
        click.echo("  (This terminal cannot show the QR code.)")
    sys.stdout.flush()


def _not_listening(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is in use by another program, perhaps another Jurado. The table was not started. "
            f"Stop that one, or take another port: jurado serve --port {port + 1 if port < 65535 else 8080}"
        )
    if error.errno == errno.EACCES:
        return f"Port {port} may not be used by this user. The table was not started. Take a port above 1023."
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine ({error}). The table was not started. Try --host 0.0.0.0"
    return f"The table was not started: {error}. Nothing was changed."


@main.command()
@_json
@click.option("--game", help="Hold the dice against what this game waits for first, such as carnavalesco.")
@click.option(
    "--show", type=click.Path(path_type=Path), help="Draw what was read on the photograph, into this picture."
)
@click.option("--explain", type=click.Path(path_type=Path), help="Write what led to each reading into this folder.")
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO…")
def read(as_json: bool, game: str | None, show: Path | None, explain: Path | None, photos: tuple[str, ...]) -> None:
    """Read the dice in photographs."""
    from device.prints import PrintError, Prints

    try:
        waited_for = None if game is None else first_expectations(game)
        prints = Prints(photos, show=show, explain=explain)
    except PrintError as error:
        _fail(InvalidInput("bad_output", str(error), error.option), as_json)
    except GameError as error:
        _fail(error, as_json)
    from vision.reader import Reader

    try:
        reader = Reader()
    except (RuntimeError, ValueError, OSError) as error:
        _fail(GameError("model_missing", str(error)), as_json)
    entries = []
    with _progress(len(photos), "Reading", hidden=not as_json or len(photos) < 2) as bar:
        for number, photo in enumerate(photos):
            entry, image, reading = _read_photo(reader, photo, waited_for)
            entries.append(entry)
            if reading is not None:
                try:
                    prints.add(number, image, reading, reader.classifier)
                except PrintError as error:
                    _fail(InvalidInput("bad_output", str(error), error.option), as_json)
            if not as_json:
                click.echo(_photo_lines(entry))
            bar.update(1)
    if as_json:
        _print({"photos": entries})
    sys.exit(1 if any("error" in entry for entry in entries) else 0)


def _progress(length: int, label: str, *, hidden: bool = False) -> Any:
    """Return a bar on standard error for `length` steps; it is drawn on a terminal only."""
    return click.progressbar(length=length, label=label, file=sys.stderr, hidden=hidden or not sys.stderr.isatty())


def first_expectations(key: str) -> list[Any]:
    """Return the dice that a game waits for first, for every number of players it can have. Raises `GameError`."""
    from engine.game import game_named, sample_setups

    game = game_named(key)
    found: list[Any] = []
    for _, setup in sorted(sample_setups(game), key=lambda seated: seated[0] == 1):  # the rarest last
        expects = game.expects(game.setup(setup))
        if expects is not None and expects not in found:
            found.append(expects)
    if not found:
        raise InvalidInput("no_dice", f"{game.name} does not begin with a roll, so there is nothing to hold against.")
    return found


def _read_photo(reader: Any, photo: str, waited_for: list[Any] | None) -> tuple[dict[str, Any], Any, Any]:
    """Return what is printed of a photograph, its picture and its Reading (None where it could not be read)."""
    from vision.reader import load_photo

    try:
        image, load_ms = load_photo(Path(photo))
        reading = reader.read(image)
        if waited_for is not None:
            # How many dice lie there tells how many play; then it is read as the table would read it.
            expects = min(waited_for, key=lambda expects: abs(expects.count - len(reading.dice)))
            reading = reader.read(image, expects=expects)
    except Exception as error:  # whatever is wrong with one photograph, the others are still read
        said = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        return {"photo": photo, "error": said}, None, None
    took = {**reading.milliseconds, "load": load_ms, "total": load_ms + reading.milliseconds["total"]}
    return {"photo": photo, **replace(reading, milliseconds=took).as_json()}, image, reading


def _photo_lines(entry: Mapping[str, Any]) -> str:
    if "error" in entry:
        return f"{entry['photo']}: {entry['error']}"
    took = entry["milliseconds"]["total"]
    lines = [f"{entry['photo']}: {len(entry['dice'])} dice, {entry['width']} x {entry['height']} pixels, {took:.0f} ms"]
    for die in entry["dice"]:
        sure = min(die["confidence"].values())
        lines.append(f"  {die['colour']:<10} {die['shape']:<4} {die['value']:>2}  {die['state']:<7} {sure:6.1%}")
    return "\n".join([*lines, *(f"  {note}" for note in entry["notes"])])


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@_json
@click.option("--threads", type=click.IntRange(1, 64), default=1, show_default=True, help="Threads for one photograph.")
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the tables as pictures into this folder.")
def bench(folder: Path, as_json: bool, threads: int, plot: Path | None) -> None:
    """Measure the reader on a folder of labelled photographs: images/ and labels.csv."""
    from vision.bench import bench as measure

    unread: list[str] = []

    try:
        if plot is not None:
            plot.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        said = f"The folder {plot} cannot be written: {error.strerror}. Nothing was measured. Name another one."
        _fail(InvalidInput("bad_output", said, "plot"), as_json)
    try:
        with _progress(1, "Measuring") as bar:

            def on(done: int, whole: int) -> None:
                bar.length = whole
                bar.update(done - bar.pos)

            figures = measure(folder, threads=threads, unread=unread.append, progress=on)
    except (RuntimeError, ValueError, OSError) as error:
        _fail(InvalidInput("bad_folder", str(error), "folder"), as_json)
    if as_json:
        _print(figures)
    else:
        _print_figures(figures)
    if plot is not None:
        from vision.plots import draw_tables

        try:
            draw_tables(plot, figures)
        except OSError as error:
            said = f"The pictures cannot be written into {plot}: {error}. Name another folder."
            _fail(InvalidInput("bad_output", said, "plot"), as_json)
    for sentence in unread:
        click.echo(sentence, err=True)
    if unread:
        click.echo(f"{len(unread)} of {figures['photos']} photographs count as read wrongly for that.", err=True)
        sys.exit(1)


def _print_figures(figures: Mapping[str, Any]) -> None:
    from vision.confusion import as_lines

    for name, value in figures.items():
        if name in ("confusion", "reliability"):
            continue
        if isinstance(value, Mapping):
            for part, number in value.items():
                click.echo(f"{name + ' ' + part:<32}{_figure(number):>10}")
        else:
            click.echo(f"{name:<32}{_figure(value):>10}")
    for line in as_lines(figures["confusion"], figures["reliability"]):
        click.echo(line)


def _figure(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


@main.command()
@click.argument("file", required=False)
@click.option("--lines", is_flag=True, help="Read one document a line, and answer each with one line.")
@_language
def score(file: str | None, lines: bool, language: str) -> None:
    """Score final positions from FILE, or from standard input."""
    from engine.score import score_document

    with _source(file) as source:
        if lines:
            for line in _lines(source):
                _print(told(_answer(score_document, line), language), indent=None)
        else:
            _answer_or_fail(score_document, source.read(), language)


@main.command()
@click.argument("file", required=False)
@_language
def replay(file: str | None, language: str) -> None:
    """Play a whole game again from FILE, or from standard input: setup and moves in, the final state out."""
    from engine.replay import replay_document

    with _source(file) as source:
        _answer_or_fail(replay_document, source.read(), language)


@main.command()
@click.argument("game_id", required=False)
@_home
def export(game_id: str | None, home: Path | None) -> None:
    """Print the game GAME_ID (or `last`) as `jurado replay` takes it; without GAME_ID, list the games."""
    from device.config import Config
    from device.config import home as usual_home
    from engine.journal import read_events
    from engine.replay import export_game, listed_games

    try:
        events = read_events(Config(home or usual_home()).journal)
        games = listed_games(events)
        if game_id is None:
            for game in games:
                click.echo(f"{game['id']}  {game['opened_at']}  {game['game']}: {', '.join(game['players'])}")
            return
        if game_id == "last" and games:
            game_id = games[-1]["id"]
        _print(export_game(events, game_id))
    except GameError as error:
        _fail(error, as_json=game_id is not None)


@main.command()
@_json
@_home
@click.option("--config", "file", type=click.Path(path_type=Path), help="Settings file, as for serve.")
def doctor(as_json: bool, home: Path | None, file: Path | None) -> None:
    """Look whether this machine has what a table needs, and say what to do about what it lacks."""
    from device.doctor import examine

    findings = list(examine(home, file))
    if as_json:
        _print({"findings": [finding.as_json() for finding in findings]})
    else:
        for finding in findings:
            click.echo(f"{finding.verdict:<8} {finding.about}: {finding.message}")
            if finding.cure:
                click.echo(f"{'':<8} → {finding.cure}")
    sys.exit(1 if any(finding.verdict == "problem" for finding in findings) else 0)


def _source(file: str | None) -> BinaryIO:
    if file is None or file == "-":
        return sys.stdin.buffer
    try:
        return open(file, "rb")
    except OSError as error:
        _fail(InvalidInput("no_such_file", f"The file {file} cannot be read: {error.strerror}."), as_json=True)


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """Yield the lines, never holding more of one than is needed to know that it is too long."""
    while line := source.readline(LONGEST_LINE + 1):
        longer = line
        while len(longer) > LONGEST_LINE and not longer.endswith(b"\n"):
            longer = source.readline(LONGEST_LINE + 1)
        yield line


def parse(text: bytes) -> Any:
    """Return the JSON document in `text`. Raises `InvalidInput`."""
    try:
        return json.loads(text.decode("utf-8-sig"), parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise InvalidInput("not_json", f"This is no UTF-8 text: byte {error.start} cannot be read.") from error
    except RecursionError as error:
        raise InvalidInput("not_json", "This JSON is nested too deeply.") from error
    except ValueError as error:
        raise InvalidInput("not_json", f"This is no JSON document: {error}.") from error


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number that JSON knows")


def _answer(work: Callable[[Any], dict[str, Any]], text: bytes) -> dict[str, Any]:
    """Return the result of one line, or its error; nothing that a line holds stops the next ones."""
    try:
        if len(text) > LONGEST_LINE:
            raise InvalidInput("too_long", f"This line is longer than {LONGEST_LINE} bytes.")
        return work(parse(text))
    except GameError as error:
        return error.as_json()
    except Exception as error:
        return GameError("internal", f"Jurado failed at this document ({type(error).__name__}: {error}).").as_json()


def _answer_or_fail(work: Callable[[Any], dict[str, Any]], text: bytes, language: str) -> None:
    try:
        result = work(parse(text))
    except GameError as error:
        _fail(error, as_json=True, language=language)
    _print(told(result, language))


def _fail(error: GameError, as_json: bool, language: str = "en") -> NoReturn:
    if not as_json:
        raise Failure(error.message)
    _print(told(error.as_json(), language))
    sys.exit(2)


def _print(document: Any, indent: int | None = 2) -> None:
    """Print JSON as UTF-8 whatever the terminal's own encoding, and at once."""
    try:
        text = json.dumps(document, ensure_ascii=False, indent=indent).encode()
    except UnicodeEncodeError:  # half a surrogate pair in somebody's name
        text = json.dumps(document, indent=indent).encode()
    sys.stdout.buffer.write(text + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
