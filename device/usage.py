"""What is wrong with a command line, in a sentence of its own and in the language that it asks for."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

from engine.game import GameError
from engine.words import LANGUAGES, quoted, row, say, say_many, told

_LANGUAGE = "jurado.language"

language_option = click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    expose_value=False,
    help="Language of the sentences.",
)


class _Home(click.Path):
    """A folder that is named; an empty name would be the working folder, which nobody means."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value).strip():
            raise Failure(
                say(
                    "--home names no folder: what was given is empty. Nothing was done. Name the folder after it, or "
                    "leave --home out for the usual one."
                )
            )
        return super().convert(value, param, ctx)


home_option = click.option(
    "--home", type=_Home(path_type=Path), help="Folder of the table's state, in the place of JURADO_HOME."
)


def spoken() -> str:
    """Return the language that the command line asks for, English where it asks for none."""
    context = click.get_current_context(silent=True)
    return "en" if context is None else context.meta.get(_LANGUAGE, "en")


def speak(language: str) -> None:
    """Let what goes wrong from here on be told in `language`."""
    click.get_current_context().meta[_LANGUAGE] = language


class Failure(click.ClickException):
    """A sentence for people, and exit status 2."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(told(message, spoken()))

    def show(self, file: Any = None) -> None:
        click.echo(self.message, file=file, err=file is None)


def unused(path: Path) -> Path:
    """Return `path`, which something new is to be written to. Raises `Failure` where it cannot be made there."""
    if (why := refused(path)) is not None:
        raise Failure(why)
    return path


def taken(path: Path) -> str:
    """Return what is said of a file that would have to be overwritten."""
    return say("{file} is there already. Nothing was written. Name another file.", file=path)


def refused(path: Path) -> str | None:
    """Return what is said of a place for a new file where one is already, or where there is no folder for it."""
    if path.is_file():
        return taken(path)
    if not path.absolute().parent.is_dir():
        return say(
            "There is no folder {folder} for {file}. Nothing was written. Make the folder, or name another file.",
            folder=path.parent,
            file=path.name,
        )
    return None


def unwritable(path: Path, error: OSError) -> str:
    """Return what is said of a file that could not be written."""
    return say(
        "{file} cannot be written ({why}). Nothing was written. Name another file.",
        file=path,
        why=error.strerror or error,
    )


class SuperfluousWords(click.UsageError):
    """Words on a command line for which the command has no use."""

    def __init__(self, words: Sequence[str], ctx: click.Context) -> None:
        self.words = tuple(words)
        super().__init__(" ".join(words), ctx)


class Command(click.Command):
    """One command of `jurado`; help that cannot be written is a `Failure`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True  # they are refused in a sentence of our own
        try:
            with _standard_output():  # --help prints as it is parsed
                left = super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise
        if left:
            raise SuperfluousWords(left, ctx)
        return left


class Commands(click.Group):
    """The commands of `jurado`; a command line that cannot be understood is a `Failure`."""

    command_class = Command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_LANGUAGE] = _asked(args)
        try:
            with _standard_output():  # --help and --version print as they are parsed
                return super().parse_args(ctx, args)
        except click.UsageError as error:
            raise _failure(error, ctx) from error

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] not in self.commands:
            raise Failure(
                say(
                    "There is no command {command}. The commands are: {known}.",
                    command=args[0],
                    known=row(sorted(self.commands)),
                )
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise _failure(error, error.ctx or ctx) from error


def _asked(args: Sequence[str]) -> str:
    """Return the language that the arguments name, also when something else is wrong with them."""
    for at, argument in enumerate(args):
        name, equals, value = argument.partition("=")
        if name == "--language":
            value = value if equals else "".join(args[at + 1 : at + 2])
            return value if value in LANGUAGES else "en"
    return "en"


def _failure(error: click.UsageError, ctx: click.Context) -> click.ClickException:
    """Return what is wrong in a sentence; click's own call for help stays as it is."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error
    see = say("{command} --help says what can be given.", command=ctx.command_path)
    return Failure(say("{wrong} Nothing was done. {see}", wrong=_wrong(error), see=see))


def _wrong(error: click.UsageError) -> str:
    if isinstance(error, click.NoSuchOption):
        return say("There is no option {option}.", option=error.option_name)
    if isinstance(error, SuperfluousWords):
        return say_many(
            "There is no place for {words} here: it is one word too many.",
            "There is no place for {words} here: these are {count} words too many.",
            len(error.words),
            words=row(map(quoted, error.words)),
        )
    if isinstance(error, click.BadOptionUsage):
        if _is_flag(error):
            return say("The option {option} takes no value.", option=error.option_name)
        return say("The option {option} needs a value after it.", option=error.option_name)
    if isinstance(error, click.BadParameter) and error.param is not None:
        what = error.param.opts[0] if isinstance(error.param, click.Option) else error.param.human_readable_name
        if isinstance(error, click.MissingParameter):
            return say("{what} is missing.", what=what)
        kind = error.param.type
        if isinstance(kind, click.Choice):
            return say("{what} must be one of {known}.", what=what, known=row(map(str, kind.choices)))
        if isinstance(kind, click.IntRange):
            return say("{what} must be a whole number from {low} to {high}.", what=what, low=kind.min, high=kind.max)
        return say("{what} cannot be what was given.", what=what)
    return say("This command line cannot be understood ({why}).", why=error.format_message().rstrip("."))


def _is_flag(error: click.BadOptionUsage) -> bool:
    known = [] if error.ctx is None else error.ctx.command.params
    return any(isinstance(one, click.Option) and one.is_flag and error.option_name in one.opts for one in known)


def fail(error: GameError, as_json: bool) -> NoReturn:
    """End the command with what is wrong: a sentence, or the one error shape as JSON; exit status 2."""
    if not as_json:
        raise Failure(error.message)
    print_json(told(error.as_json(), spoken()))
    sys.exit(2)


def print_json(document: Any, indent: int | None = 2) -> None:
    """Print JSON as UTF-8 whatever the terminal's own encoding, and at once."""
    try:
        text = json.dumps(document, ensure_ascii=False, indent=indent).encode()
    except UnicodeEncodeError:  # half a surrogate pair in somebody's name
        text = json.dumps(document, indent=indent).encode()
    with _standard_output():
        sys.stdout.buffer.write(text + b"\n")
        sys.stdout.buffer.flush()


def put(line: str = "") -> None:
    """Print a line for people."""
    with _standard_output():
        click.echo(line)


@contextmanager
def _standard_output() -> Iterator[None]:
    """Let what cannot be written end the command with a sentence; a reader that went away is click's to handle."""
    if sys.stdout is None:
        raise Failure(say("Standard output is closed. What was asked for cannot be printed. Send it to a file."))
    try:
        yield
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        # What is left in the buffer would fail once more when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        message = say(
            "What was asked for cannot be written to standard output ({why}). It is not complete. "
            "Free some space, or send it elsewhere.",
            why=error.strerror,
        )
        raise Failure(message) from error
