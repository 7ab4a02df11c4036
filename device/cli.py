"""The command `jurado`. Each command imports only what it needs: scoring a game loads no camera and no models."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import logging
import os
import socket
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from device.documents import parse, parse_line, read_lines, read_whole
from device.enrolling import enrol, knowing
from device.upkeep import backup, calibrate, hotspot, markers, restore
from device.usage import (
    Commands,
    Failure,
    fail,
    home_option,
    language_option,
    print_json,
    put,
    speak,
    spoken,
    unused,
    unwritable,
)
from engine.game import GameError, InvalidInput
from engine.words import named, say, say_many, told

_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="jurado")
def main() -> None:
    """Jurado watches the dice on your table, keeps the score, and explains it."""
    # What goes wrong is said in a sentence. A table that is started logs, and takes this one's place.
    if not logging.root.handlers:
        logging.root.addHandler(logging.NullHandler())


@main.command()
@click.option("--demo", is_flag=True, help="Play without a camera: every capture shows freshly rolled, rendered dice.")
@click.option("--host", help="Address to listen on, in the place of web.host.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the page, in the place of web.port (8080).")
@home_option
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
        raise Failure(error.args[0]) from error
    web = replace(config.web, host=host or config.web.host, port=port or config.web.port)
    config = replace(config, web=web)
    speak(web.language)
    from device import service

    try:
        service.serve(config, demo=demo, ready=partial(announce, everywhere=web.host in ("0.0.0.0", "::")))
    except GameError as error:
        raise Failure(error.message) from error
    except OSError as error:
        raise Failure(_not_listening(error, web.host, web.port)) from error
    _end_without_threads()


def _end_without_threads() -> None:
    """End the process at once where threads are left: one that draws or loads in native code outlives every wait on a
    busy machine, and Python would crash on unwinding it. All that counts is on the disk by now."""
    if threading.active_count() > 1:
        logging.shutdown()
        for stream in filter(None, (sys.stdout, sys.stderr)):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(0)


def announce(addresses: Sequence[str], join_code: str, pin: str, *, everywhere: bool = False) -> None:
    """Print where the table is: its addresses (the best for a phone first), join code and PIN, and a QR code with the
    address and the join code; as a service only the addresses.

    `everywhere`: it listens on all addresses of this machine, so on localhost too.
    """
    import segno

    port = addresses[0].removeprefix("http://").rpartition("]")[2].partition(":")[2]
    here = [f"http://localhost{f':{port}' if port else ''}"] if everywhere else []
    for address in [*addresses, *here]:
        put(f"  {address}")
    if os.environ.get("JOURNAL_STREAM"):
        # What a service prints is kept in the system's log, for everybody who may read that.
        put("  join code and host's PIN: jurado pin --all")
        sys.stdout.flush()
        return
    put(f"  join code: {join_code}")
    put(f"  host's PIN: {pin}\n")
    picture = io.StringIO()
    segno.make(f"{addresses[0].rstrip('/')}/join?code={join_code}", error="l").terminal(picture, border=2, compact=True)
    try:
        put(picture.getvalue())
    except UnicodeEncodeError:
        put(f"  {told(say('(This terminal cannot show the QR code.)'), spoken())}")
    sys.stdout.flush()


def _not_listening(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return say(
            "Port {port} is in use by another program, perhaps another Jurado. The table was not started. "
            "Stop that one, or take another port: jurado serve --port {other}",
            port=port,
            other=port + 1 if port < 65535 else 8080,
        )
    if error.errno == errno.EACCES:
        return say(
            "Port {port} may not be used by this user. The table was not started. Take a port above 1023.", port=port
        )
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return say(
            "{host} is no address of this machine ({why}). The table was not started. Try --host 0.0.0.0",
            host=host,
            why=error,
        )
    return say("The table was not started ({why}). Nothing was changed.", why=error)


@main.command()
@_json
@click.option("--game", help="Hold the dice against what this game waits for first, such as carnavalesco.")
@click.option(
    "--show", type=click.Path(path_type=Path), help="Draw what was read on the photograph, into this picture."
)
@click.option("--explain", type=click.Path(path_type=Path), help="Write what led to each reading into this folder.")
@home_option
@language_option
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO…")
def read(
    as_json: bool,
    game: str | None,
    show: Path | None,
    explain: Path | None,
    home: Path | None,
    photos: tuple[str, ...],
) -> None:
    """Read the dice in photographs."""
    from device.prints import PrintError, Prints

    try:
        waited_for = None if game is None else first_expectations(game)
        prints = Prints(photos, show=show, explain=explain)
    except PrintError as error:
        fail(InvalidInput("bad_output", error.message, error.option), as_json)
    except GameError as error:
        fail(error, as_json)
    from vision.reader import Reader

    try:
        reader = Reader()
        knowing(reader, home)
    except (RuntimeError, ValueError, OSError) as error:
        fail(GameError("model_missing", error.args[0] if error.args else type(error).__name__), as_json)
    entries = []
    with _progress(len(photos), "Reading", hidden=not as_json or len(photos) < 2) as bar:
        for number, photo in enumerate(photos):
            entry, image, reading = _read_photo(reader, photo, waited_for)
            entries.append(entry)
            if reading is not None:
                try:
                    prints.add(number, image, reading, reader.classifier)
                except PrintError as error:
                    fail(InvalidInput("bad_output", error.message, error.option), as_json)
            if not as_json:
                put(_photo_lines(entry))
            bar.update(1)
    if as_json:
        print_json(told({"photos": entries}, spoken()))
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
        message = say(
            "{game} does not begin with a roll, so there is nothing to hold the dice against.", game=game.name
        )
        raise InvalidInput("no_dice", message, "game")
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
        said = getattr(error, "message", None) or say(
            "This photograph could not be read ({why}). The others are read all the same.",
            why=f"{type(error).__name__}: {error}",
        )
        return {"photo": photo, "error": said}, None, None
    took = {**reading.milliseconds, "load": load_ms, "total": load_ms + reading.milliseconds["total"]}
    return {"photo": photo, **replace(reading, milliseconds=took).as_json()}, image, reading


def _photo_lines(entry: Mapping[str, Any]) -> str:
    language = spoken()
    if "error" in entry:
        return f"{entry['photo']}: {told(entry['error'], language)}"
    found = say_many(
        "{count} die, {width} x {height} pixels, {took} ms",
        "{count} dice, {width} x {height} pixels, {took} ms",
        len(entry["dice"]),
        width=entry["width"],
        height=entry["height"],
        took=round(entry["milliseconds"]["total"]),
    )
    lines = [f"{entry['photo']}: {told(found, language)}"]
    for die in entry["dice"]:
        sure, colour = min(die["confidence"].values()), told(named(die["colour"]), language)
        lines.append(f"  {colour:<10} {die['shape']:<4} {die['value']:>2}  {die['state']:<7} {sure:6.1%}")
    return "\n".join([*lines, *(f"  {told(note, language)}" for note in entry["notes"])])


@main.command()
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@_json
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    help="Measure this machine instead, and write what is to be sent to us into this file.",
)
@home_option
@click.option("--threads", type=click.IntRange(1, 64), default=1, show_default=True, help="Threads for one photograph.")
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the tables as pictures into this folder.")
@click.option(
    "--teach",
    type=click.IntRange(1, 6),
    help="Teach so many pictures of each face first, from other table tops than the one that is read.",
)
@click.option("--colours", is_flag=True, help="With --teach: teach the colours alone.")
@language_option
def bench(
    folder: Path | None,
    as_json: bool,
    report: Path | None,
    home: Path | None,
    threads: int,
    plot: Path | None,
    teach: int | None,
    colours: bool,
) -> None:
    """Measure the reader on a folder of labelled photographs (images/ and labels.csv), or what this machine gives."""
    if report is not None:
        _report(report, home, as_json)
        return
    if folder is None:
        said = say("There is nothing to measure: name a FOLDER of labelled photographs, or a file with --report.")
        fail(InvalidInput("nothing_asked", said, "folder"), as_json)
    from vision.bench import bench as measure

    unread: list[str] = []

    try:
        if plot is not None:
            plot.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        said = say(
            "The folder {folder} cannot be written ({why}). Nothing was measured. Name another one.",
            folder=plot,
            why=error.strerror,
        )
        fail(InvalidInput("bad_output", said, "plot"), as_json)
    try:
        with _progress(1, "Measuring") as bar:

            def on(done: int, whole: int) -> None:
                bar.length = whole
                bar.update(done - bar.pos)

            if teach is None:
                figures = measure(folder, threads=threads, unread=unread.append, progress=on)
            else:
                from vision.enrol_bench import bench_taught

                figures = bench_taught(
                    folder, teach, threads=threads, colours_only=colours, unread=unread.append, progress=on
                )
    except (RuntimeError, ValueError, OSError) as error:
        fail(InvalidInput("bad_folder", error.args[0] if error.args else str(error), "folder"), as_json)
    if as_json:
        print_json(figures)
    else:
        _print_figures(figures)
    if plot is not None:
        from vision.plots import draw_tables

        try:
            draw_tables(plot, figures)
        except OSError as error:
            said = say(
                "The pictures cannot be written into {folder} ({why}). Name another one.",
                folder=plot,
                why=error.strerror or error,
            )
            fail(InvalidInput("bad_output", said, "plot"), as_json)
    for sentence in unread:
        click.echo(told(sentence, spoken()), err=True)
    if unread:
        wrong = say_many(
            "{count} of {all} photographs counts as read wrongly for that.",
            "{count} of {all} photographs count as read wrongly for that.",
            len(unread),
            all=figures["photos"],
        )
        click.echo(told(wrong, spoken()), err=True)
        sys.exit(1)


def _report(target: Path, home: Path | None, as_json: bool) -> None:
    """Measure what this machine gives, and write it into a file."""
    from device.benching import report as measured
    from device.config import ConfigError, load_config

    try:
        config = load_config(at=home)
        # Before minutes of measuring are lost.
        unused(target).touch()
        with _progress(1, "Measuring") as bar:

            def on(done: int, whole: int) -> None:
                bar.length = whole
                bar.update(done - bar.pos)

            found = measured(config, progress=on)
        target.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    except ConfigError as error:
        fail(InvalidInput("bad_settings", error.args[0], "home"), as_json)
    except OSError as error:
        fail(InvalidInput("bad_output", unwritable(target, error), "report"), as_json)
    if as_json:
        print_json(found)
        return
    for way, figures in found["press"].items():
        put(f"{way:<32}{figures['median']:>10} ms")
    said = say(
        "All of it is in {file}: the machine, its libraries and these times. No name and no photograph is in it. Read "
        "it, and send it to us with an issue of the project.",
        file=target,
    )
    put(told(said, spoken()))


def _print_figures(figures: Mapping[str, Any]) -> None:
    from vision.confusion import as_lines

    for name, value in figures.items():
        if name in ("confusion", "reliability"):
            continue
        if isinstance(value, Mapping):
            for part, number in value.items():
                if isinstance(number, Mapping):
                    number = ", ".join(f"{key} {_figure(one)}" for key, one in number.items())
                put(f"{name + ' ' + part:<32}{_figure(number):>10}")
        else:
            put(f"{name:<32}{_figure(value):>10}")
    for line in as_lines(figures["confusion"], figures["reliability"]):
        put(line)


def _figure(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


@main.command()
@click.argument("file", required=False)
@click.option("--lines", is_flag=True, help="Read one document a line, and answer each with one line.")
@language_option
def score(file: str | None, lines: bool) -> None:
    """Score final positions from FILE, or from standard input."""
    from engine.score import score_document

    if not lines:
        _answer_or_fail(score_document, file)
        return
    try:
        for line in read_lines(file):
            print_json(told(_answer(score_document, line), spoken()), indent=None)
    except InvalidInput as error:
        fail(error, as_json=True)


@main.command()
@click.argument("file", required=False)
@language_option
def replay(file: str | None) -> None:
    """Play a whole game again from FILE, or from standard input: setup and moves in, the final state out."""
    from engine.replay import replay_document

    _answer_or_fail(replay_document, file)


@main.command()
@click.argument("game_id", required=False)
@home_option
@language_option
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
                line = f"{game['id']}  {game['opened_at']}  {game['game']}: {', '.join(game['players'])}"
                put(f"{line}  {told(say('(deleted)'), spoken())}" if game["deleted"] else line)
            return
        if game_id == "last" and games:
            game_id = games[-1]["id"]
        print_json(export_game(events, game_id))
    except GameError as error:
        fail(error, as_json=game_id is not None)


@main.command()
@_json
@home_option
@click.option("--config", "file", type=click.Path(path_type=Path), help="Settings file, as for serve.")
@click.option(
    "--zip", "packed", type=click.Path(path_type=Path), help="Write it all into this file, for whoever helps."
)
@click.option("--photos", is_flag=True, help="With --zip: the last photographs as well.")
@language_option
def doctor(as_json: bool, home: Path | None, file: Path | None, packed: Path | None, photos: bool) -> None:
    """Look whether this machine has what a table needs, and say what to do about what it lacks."""
    from device.doctor import examine

    if packed is not None:
        _pack(packed, home, file, photos)
        return
    findings = list(examine(home, file))
    if as_json:
        print_json({"findings": [finding.as_json() for finding in findings]})
    else:
        for finding in findings:
            about, message = told((finding.about, finding.message), spoken())
            put(f"{finding.verdict:<8} {about}: {message}")
            if finding.cure:
                put(f"{'':<8} → {told(finding.cure, spoken())}")
    sys.exit(1 if any(finding.verdict == "problem" for finding in findings) else 0)


def _pack(target: Path, home: Path | None, file: Path | None, photos: bool) -> None:
    """Write what helps somebody far away into a file."""
    from device.config import ConfigError, load_config
    from device.diagnosis import Diagnosis

    unused(target)
    try:
        target.write_bytes(Diagnosis(load_config(file, at=home)).packed(photos=photos))
    except ConfigError as error:
        raise Failure(error.args[0]) from error
    except OSError as error:
        raise Failure(unwritable(target, error)) from error
    put(str(target))


@main.command()
@click.option("--new", is_flag=True, help="Make a new PIN; phones that are the host's by the old one are so no more.")
@click.option("--all", "everything", is_flag=True, help="Print the join code as well, each with its name.")
@home_option
@language_option
def pin(new: bool, everything: bool, home: Path | None) -> None:
    """Print the host's PIN: who has joined and types it may set the table up."""
    from device.config import ConfigError, load_config
    from device.config import home as usual_home
    from device.keys import KEYS_FILE, Keys

    folder = home or usual_home()
    if not (folder / KEYS_FILE).exists():
        raise Failure(
            say("There is no table in {folder} yet. Start it once: jurado serve. That makes its PIN.", folder=folder)
        )
    try:
        keys = Keys(folder, fixed_code=load_config(at=folder).web.join_code)
        number = keys.change_pin() if new else keys.pin
        put(f"join code: {keys.join_code}\nhost's PIN: {number}" if everything else number)
    except GameError as error:
        raise Failure(error.message) from error
    except ConfigError as error:
        raise Failure(str(error)) from error


def _answer(work: Callable[[Any], dict[str, Any]], line: bytes) -> dict[str, Any]:
    """Return the result of one line, or its error; nothing that a line holds stops the next ones."""
    try:
        return work(parse_line(line))
    except GameError as error:
        return error.as_json()
    except Exception as error:
        message = say(
            "Jurado failed at this document ({kind}), which is a fault of Jurado. Please report it with the document.",
            kind=type(error).__name__,
        )
        return GameError("internal", message).as_json()


def _answer_or_fail(work: Callable[[Any], dict[str, Any]], file: str | None) -> None:
    """Print what comes of the document in `file`, or of standard input."""
    try:
        result = work(parse(read_whole(file)))
    except GameError as error:
        fail(error, as_json=True)
    print_json(told(result, spoken()))


for _command in (enrol, backup, restore, markers, calibrate, hotspot):
    main.add_command(_command)


if __name__ == "__main__":
    main()
