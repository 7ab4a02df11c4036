"""The command on real processes and real files: shapes, exit statuses, streaming, and that all of it is documented."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from device.cli import announce, first_expectations, main
from device.documents import LONGEST_LINE
from device.keys import Keys
from engine.game import GameError, canonical_json
from engine.journal import Journal
from engine.table import Table
from engine.words import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
ELEMENTS = (
    "vanguard flag_bearers storyline floats costumes progression harmony drums theme_song".split()  # noqa: SIM905
)


def positions(**changes: Any) -> dict[str, Any]:
    dice = {name: [{"colour": "red", "value": 3}] * 4 for name in ELEMENTS}
    player = {"name": "Ana", "division": "D", "counters": 0, "elements": dice}
    strip = {str(total): min(10, 1 + total // 3) for total in range(4, 25)}
    return {"game": "carnavalesco", "solo": None, "division_tables": {"D": strip}, "players": [player], **changes}


def jurado(*arguments: str, text: str | bytes = "", **environment: str) -> Any:
    return CliRunner().invoke(main, arguments, input=text, env=environment, catch_exceptions=False)


def process(*arguments: object, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", "from device.cli import main; main()", *map(str, arguments)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def test_every_command_and_option_is_documented() -> None:
    context = click.Context(main, info_name="jurado")
    for name, command in main.commands.items():
        arguments = [one.make_metavar(context) for one in command.params if isinstance(one, click.Argument)]
        assert f"## {' '.join(['jurado', name, *arguments])}\n\n{command.help}\n" in DOCUMENT
        part = DOCUMENT.split(f"## jurado {name}")[1].split("\n## ")[0]
        for option in command.params:
            if isinstance(option, click.Option):
                assert f"| `{', '.join(option.opts)}` | {option.help} |" in part


def test_nothing_is_documented_that_is_no_command_or_option() -> None:
    assert set(re.findall(r"^## jurado (\w+)", DOCUMENT, re.MULTILINE)) == set(main.commands)
    known = {opt for command in main.commands.values() for one in command.params for opt in one.opts}
    assert set(re.findall(r"^\| `(--\w+)` \|", DOCUMENT, re.MULTILINE)) <= known


def test_scoring_loads_no_camera_no_models_and_no_web() -> None:
    code = (
        "import sys\nfrom device.cli import main\n"
        "main(['score'], standalone_mode=False)\n"
        "print([name for name in ('cv2', 'numpy', 'onnxruntime', 'flask', 'gpiozero') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        input=json.dumps(positions()),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_score_gives_marks_from_a_file_and_from_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "end.json"
    file.write_text(json.dumps(positions()))
    from_file, from_input = jurado("score", str(file)), jurado("score", text=json.dumps(positions()))
    assert (from_file.exit_code, from_input.exit_code) == (0, 0)
    assert from_file.stdout == from_input.stdout
    assert json.loads(from_file.stdout)["ranking"] == [["Ana"]]


@pytest.mark.parametrize(("language", "words"), [("en", "Sum"), ("pt", "A soma"), ("es", "La suma")])
def test_reasons_and_errors_are_told_in_the_language_asked_for(language: str, words: str) -> None:
    done = jurado("score", "--language", language, text=json.dumps(positions()))
    told = json.loads(done.stdout)["players"][0]["elements"]
    assert any(words in mark["why"] for mark in told.values())
    refused = jurado("replay", "--language", language, text='{"game": "carnavalesco"}')
    assert ("setup" in json.loads(refused.stdout)["error"]["message"]) == (language == "en")


@pytest.mark.parametrize(
    "text",
    ["", "no json", "[1", '{"game": NaN}', b"\xff\xfe", "[" * 100_000, '{"game": 1e999999}', "1" * 5000],
)
def test_what_is_no_json_document_is_an_error_in_the_one_shape(text: str | bytes) -> None:
    done = jurado("score", text=text)
    assert done.exit_code == 2
    error = json.loads(done.stdout)["error"]
    assert error["code"]
    assert error["message"]
    assert isinstance(error["field"], str)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it is empty"),
        ("no json", "line 1, character 1"),
        ('{"game":\n "carnavalesco" "players"}', "line 2, character 17"),
        ("[1", "cut off"),
        ('{"game": NaN}', "NaN is no number"),
        (b"{}\xff", "byte 3"),
        ("[" * 100_000, "nested too deeply"),
        ("1" * 5000, "too many digits"),
    ],
)
def test_what_is_no_json_is_said_in_words_of_ones_own(text: str | bytes, words: str) -> None:
    said = {lang: json.loads(jurado("score", "--language", lang, text=text).stdout) for lang in LANGUAGES}
    assert words in said["en"]["error"]["message"]
    assert {one["error"]["code"] for one in said.values()} == {"not_json"}
    assert len({one["error"]["message"] for one in said.values()}) == len(LANGUAGES)


def test_a_broken_line_is_not_called_the_second_one() -> None:
    done = jurado("score", "--lines", text='{"game": \n{"game" "x"}\n\n')
    messages = [json.loads(line)["error"]["message"] for line in done.stdout.splitlines()]
    assert ["line 2" in message for message in messages] == [False] * 3
    assert ["cut off" in messages[0], "character 9" in messages[1], "empty" in messages[2]] == [True] * 3


def test_bad_positions_name_the_field() -> None:
    wrong = positions()
    wrong["players"][0]["elements"]["harmony"] = [{"colour": "red", "value": 7}] * 4
    done = jurado("score", text=json.dumps(wrong))
    assert done.exit_code == 2
    assert json.loads(done.stdout)["error"]["field"] == "players[0].elements.harmony[0].value"


@pytest.mark.parametrize("command", [("score",), ("score", "--lines"), ("replay",)])
def test_a_file_that_cannot_be_read_is_an_error_in_the_one_shape(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    for file, code in [("nothing.json", "no_such_file"), (".", "is_a_folder"), ("binary", "not_json")]:
        done = jurado(*command, str(tmp_path / file), "--language", "pt")
        told = json.loads(done.stdout.splitlines()[0] if code == "not_json" and "--lines" in command else done.stdout)
        assert (told["error"]["code"], done.exit_code == 2) == (code, "--lines" not in command or code != "not_json")
        assert told["error"]["message"].isascii() is False, "in Portuguese"


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="root may read every file")
def test_a_file_that_this_user_may_not_read_is_said_to_be_so(tmp_path: Path) -> None:
    file = tmp_path / "secret.json"
    file.write_text("{}")
    file.chmod(0)
    # Root without its right to pass over permissions: another user might not reach the interpreter either.
    way = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    script = "from device.cli import main; main()"
    done = subprocess.run(
        [*way, sys.executable, "-c", script, "score", str(file)], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (2, "no_permission")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["scroe"], "no command scroe"),
        (["score", "--lnies"], "no option --lnies"),
        (["score", "one", "two"], "no place for 'two' here: it is one word too many"),
        (["doctor", "one", "two"], "no place for 'one', 'two' here: these are 2 words too many"),
        (["serve", "--demo=1"], "--demo takes no value"),
        (["score", "--language"], "needs a value"),
        (["score", "--language", "fr"], "must be one of en, pt, es"),
        (["bench", "x", "--threads", "0"], "a whole number from 1 to 64"),
        (["read"], "is missing"),
        (["read", "--game", "chess", "a.jpg"], "no game 'chess'"),
    ],
)
def test_a_wrong_command_line_is_told_in_the_language_asked_for(arguments: list[str], words: str) -> None:
    english = jurado(*arguments)
    assert english.exit_code == 2
    assert words in english.stderr
    if "--language" not in arguments:
        others = {jurado(*arguments, "--language", language).stderr for language in ("pt", "es")}
        assert len(others - {english.stderr}) == 2


def test_lines_are_answered_in_order_with_errors_in_their_places() -> None:
    named = [positions(), positions(game="chess"), positions()]
    text = "\n".join([json.dumps(named[0]), "no json", json.dumps(named[1]), "", json.dumps(named[2])])
    done = jurado("score", "--lines", text=text)
    assert done.exit_code == 0
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert ["error" in answer for answer in answers] == [False, True, True, True, False]


def test_a_line_without_end_is_refused_and_the_next_one_answered() -> None:
    text = "[" + "1," * LONGEST_LINE + "\n" + json.dumps(positions()) + "\n"
    done = jurado("score", "--lines", text=text)
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["error"]["code"] == "too_long"
    assert second["ranking"] == [["Ana"]]


def test_each_line_is_answered_before_the_next_one_comes() -> None:
    with process("score", "--lines") as scorer:
        for _ in range(3):
            scorer.stdin.write(json.dumps(positions()) + "\n")
            scorer.stdin.flush()
            assert json.loads(scorer.stdout.readline())["ranking"] == [["Ana"]]
        scorer.stdin.close()
        assert scorer.wait() == 0


def test_half_a_surrogate_pair_in_a_name_comes_out_as_it_went_in() -> None:
    wrong = positions()
    wrong["players"][0]["name"] = "\ud800"
    done = jurado("score", text=json.dumps(wrong))
    assert json.loads(done.stdout)


def test_a_game_is_exported_and_replayed_to_the_same_state(tmp_path: Path) -> None:
    setup = {"players": [{"name": "Ana"}, {"name": "Bia"}]}
    with Journal(tmp_path / "journal.sqlite3", now=lambda: "2026-11-29T20:00:00Z") as journal:
        table = Table(journal)
        table.open_game("carnavalesco", setup)
        game = table.game
        assert game is not None
        colours = game.view(table.state)["colours"]
        dice = [{"colour": colours[index % 6], "value": index % 6 + 1} for index in range(12)]
        table.apply({"move": "roll", "dice": dice})
        for _ in range(3):
            table.apply(next(iter(game.legal_moves(table.state))))
        table.undo()
        kept, game_id = game.dump(table.state), table.game_id
        exported = jurado("export", str(game_id), JURADO_HOME=str(tmp_path))
    assert exported.exit_code == 0
    assert jurado("export", "last", "--home", str(tmp_path)).stdout == exported.stdout
    assert game_id in jurado("export", "--home", str(tmp_path)).stdout
    replayed = jurado("replay", text=exported.stdout)
    assert replayed.exit_code == 0
    document = json.loads(replayed.stdout)
    assert game.dump(game.load(canonical_json(document["state"]))) == kept
    assert {"state", "scoreboard", "prompt", "outcome"} <= set(document)


def test_exporting_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    done = jurado("export", "nonsense", "--home", str(tmp_path))
    assert done.exit_code == 2
    assert "no readable journal" in json.loads(done.stdout)["error"]["message"]
    Journal(tmp_path / "journal.sqlite3", now=lambda: "now").close()
    for wanted in ("nonsense", "last"):
        assert json.loads(jurado("export", wanted, "--home", str(tmp_path)).stdout)["error"]["code"] == "unknown_game"
    assert jurado("export", "--home", str(tmp_path)).stdout == ""


@pytest.mark.parametrize("command", [["score"], ["score", "--lines"], ["replay"], ["replay", "-"]])
def test_standard_input_that_is_closed_is_said_to_be_so(command: list[str]) -> None:
    jurado_command = [sys.executable, "-c", "from device.cli import main; main()", *command]
    done = subprocess.run(["sh", "-c", '"$@" <&-', "sh", *jurado_command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == ""
    assert json.loads(done.stdout)["error"]["code"] == "unreadable_file"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this machine has no full disk to write to")
@pytest.mark.parametrize(
    "command",
    [["score"], ["score", "--lines"], ["score", "--language", "pt"], ["--help"], ["--version"], ["enrol", "--help"]],
)
@pytest.mark.parametrize(("where", "words"), [("/dev/full", "No space left on device"), ("&-", "")])
def test_output_that_cannot_be_written_is_said_in_a_sentence(command: list[str], where: str, words: str) -> None:
    jurado_command = [sys.executable, "-c", "from device.cli import main; main()", *command]
    done = subprocess.run(
        ["sh", "-c", f'"$@" >{where}', "sh", *jurado_command],
        cwd=ROOT,
        input=json.dumps(positions()),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", [["score"], ["score", "--lines"], ["replay"]])
def test_a_field_that_is_there_twice_is_refused(command: list[str]) -> None:
    twice = '{"game": "tally", "setup": {"goal": 5, "goal": 9}}'
    error = json.loads(jurado(*command, text=twice).stdout)["error"]
    assert error["code"] == "repeated_field"
    assert "'goal' is there twice" in error["message"]


def test_what_is_long_is_not_echoed_whole() -> None:
    given = positions()
    given["players"][0]["counters"] = int("9" * 400)
    message = json.loads(jurado("score", text=json.dumps(given)).stdout)["error"]["message"]
    assert "999…" in message
    assert len(message) < 120


def test_a_house_rule_is_refused_as_it_was_given() -> None:
    given = positions(house_rules={"song.mode": True})
    message = json.loads(jurado("score", text=json.dumps(given)).stdout)["error"]["message"]
    assert "song.mode cannot be true." in message


def test_a_folder_without_a_journal_is_answered_with_both_ways_to_name_one(tmp_path: Path) -> None:
    done = jurado("export", "last", "--home", str(tmp_path))
    assert done.exit_code == 2
    error = json.loads(done.stdout)["error"]
    assert error["code"] == "journal_unreadable"
    assert "--home" in error["message"]
    assert f"`{error['code']}`" in DOCUMENT


def test_an_illegal_move_in_a_replay_is_named_by_its_place() -> None:
    setup = {"players": [{"name": "Ana"}, {"name": "Bia"}]}
    document = {"game": "carnavalesco", "setup": setup, "moves": [{"move": "fly"}]}
    done = jurado("replay", text=json.dumps(document))
    assert done.exit_code == 2
    assert json.loads(done.stdout)["error"]["move"] == 0


def test_the_doctor_prints_findings_for_people_and_as_json(tmp_path: Path) -> None:
    done = jurado("doctor", "--json", "--home", str(tmp_path))
    findings = json.loads(done.stdout)["findings"]
    problems = [finding for finding in findings if finding["verdict"] == "problem"]
    assert done.exit_code == (1 if problems else 0)
    assert "machine:" in jurado("doctor", "--home", str(tmp_path)).stdout


def test_a_game_waits_first_for_as_many_dice_as_its_seats_need() -> None:
    assert [expects.count for expects in first_expectations("carnavalesco")] == [12, 10, 12, 14, 8]
    with pytest.raises(GameError, match="There is no game"):
        first_expectations("chess")


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rendered photograph of a first roll, twelve six-sided dice of the usual colours."""
    import cv2
    import numpy as np

    from engine.dice import Die
    from vision.rendering import render_scene

    if not list((ROOT / "models").glob("*.onnx")):
        pytest.skip("needs the models, which are not in this checkout")
    colours = first_expectations("carnavalesco")[0].colours
    dice = [Die(colour, value) for value, colour in enumerate([*colours, *colours], 1) for value in [value % 6 + 1]]
    scene = render_scene(np.random.default_rng(5), dice, width=1600, height=1200)
    path = tmp_path_factory.mktemp("photos") / "a roll.png"
    cv2.imwrite(str(path), scene.image)
    return path


def test_reading_goes_on_after_a_file_that_is_no_picture(photo: Path, tmp_path: Path) -> None:
    (tmp_path / "no picture.jpg").write_text("these are no dice")
    done = jurado(
        "read", "--json", str(photo), str(tmp_path / "no picture.jpg"), str(tmp_path / "gone.jpg"), str(photo)
    )
    assert done.exit_code == 1
    first, second, third, fourth = json.loads(done.stdout)["photos"]
    assert "no picture" in second["error"]
    assert "error" in third
    assert first["dice"] == fourth["dice"] != []
    assert (first["photo"], first["width"], first["height"]) == (str(photo), 1600, 1200)
    assert {"load", "detect", "read", "total"} <= set(first["milliseconds"])
    assert set(first["dice"][0]) == {"shape", "colour", "value", "state", "box", "confidence"}


def test_a_reading_is_held_against_a_game_and_printed_for_people(photo: Path) -> None:
    done = jurado("read", "--game", "carnavalesco", str(photo))
    assert done.exit_code == 0
    assert f"{photo}: " in done.stdout
    assert " d6 " in done.stdout
    refused = jurado("read", "--json", "--game", "chess", str(photo))
    assert refused.exit_code == 2
    assert json.loads(refused.stdout)["error"]["field"] == "game"


def test_what_was_read_can_be_shown_and_explained(photo: Path, tmp_path: Path) -> None:
    picture, folder = tmp_path / "shown.jpg", tmp_path / "why"
    assert jurado("read", "--show", str(picture), "--explain", str(folder), str(photo)).exit_code == 0
    assert picture.read_bytes()[:2] == b"\xff\xd8"
    assert (folder / "a roll.png").is_file()
    assert json.loads((folder / "explain.json").read_text())["photos"][0]["photo"] == str(photo)


def test_a_place_where_no_picture_can_be_is_said(photo: Path, tmp_path: Path) -> None:
    done = jurado("read", "--show", str(tmp_path / "shown.txt"), str(photo))
    assert done.exit_code == 2
    assert "Nothing was read" in done.stderr
    said = jurado("read", "--json", "--explain", str(photo), str(photo))
    assert said.exit_code == 2
    assert json.loads(said.stdout)["error"]["field"] == "explain"
    assert jurado("bench", str(tmp_path), "--plot", str(photo)).exit_code == 2


def test_bench_measures_a_labelled_folder(photo: Path, tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a.png").write_bytes(photo.read_bytes())
    (tmp_path / "labels.csv").write_text("image,x,y,w,h,shape,value,colour\na.png,0,0,1600,1200,d6,,\n")
    done = jurado("bench", str(tmp_path), "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["photos"] == 1
    said = jurado("bench", str(tmp_path), "--plot", str(tmp_path / "plots")).stdout
    assert "photo_exact" in said
    assert "Shape: labelled (down) and read (across)" in said
    assert (tmp_path / "plots" / "confusion-shape.png").is_file()


def test_bench_on_a_folder_without_labels_says_so(tmp_path: Path) -> None:
    done = jurado("bench", str(tmp_path), "--json")
    assert done.exit_code == 2
    assert "labels.csv" in json.loads(done.stdout)["error"]["message"]
    assert "labels.csv" in jurado("bench", str(tmp_path)).stderr


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def test_serve_prints_the_address_the_code_and_a_qr_code_and_serves(tmp_path: Path) -> None:
    port = free_port()
    with process("serve", "--demo", "--host", "127.0.0.1", "--port", port, "--home", tmp_path) as table:
        try:
            said = [table.stdout.readline() for _ in range(9)]
            assert f"http://127.0.0.1:{port}" in said[0]
            assert re.search(r"join code: \w{4,}", said[1])
            printed = re.search(r"host's PIN: (\d{6})$", said[2].strip())
            assert printed is not None
            assert jurado("pin", "--home", str(tmp_path)).stdout.strip() == printed[1]
            assert any("█" in line or "▀" in line for line in said[3:])
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz") as answer:
                assert answer.status == 200
            with process("serve", "--demo", "--host", "127.0.0.1", "--port", port, "--home", tmp_path) as second:
                _, complaint = second.communicate()
                assert second.returncode == 2
                assert f"process {table.pid}" in complaint
            other = tmp_path / "other"
            with process("serve", "--demo", "--host", "127.0.0.1", "--port", port, "--home", other) as third:
                _, complaint = third.communicate()
                assert third.returncode == 2
                assert f"Port {port} is in use" in complaint
            assert not other.exists(), "a table that was not started leaves nothing"
            table.send_signal(signal.SIGTERM)
            assert table.wait() == 0
        finally:
            table.kill()


def test_the_pin_is_shown_and_made_anew_where_there_is_a_table(tmp_path: Path) -> None:
    nowhere = jurado("pin", "--home", str(tmp_path / "nowhere"), "--language", "pt")
    assert nowhere.exit_code == 2
    assert "Ainda não há mesa" in nowhere.stderr
    assert not (tmp_path / "nowhere").exists()
    keys = Keys(tmp_path)
    assert jurado("pin", JURADO_HOME=str(tmp_path)).stdout == f"{keys.pin}\n"
    old = keys.pin_id
    assert jurado("pin", "--new", "--home", str(tmp_path)).stdout == f"{keys.pin}\n"
    assert keys.pin_id != old


def test_the_table_says_where_it_is_on_this_machine_too(capsys: pytest.CaptureFixture[str]) -> None:
    announce(["http://192.0.2.7:8080", "http://table.local:8080"], "12345", "678901", everywhere=True)
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()[:5]]
    assert lines == [
        "http://192.0.2.7:8080",
        "http://table.local:8080",
        "http://localhost:8080",
        "join code: 12345",
        "host's PIN: 678901",
    ]
    announce(["http://[fd00::7]"], "12345", "678901", everywhere=True)
    assert "http://localhost\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--host", "no.such.host.invalid"), "no.such.host.invalid is no address of this machine"),
        (("--port", "70000"), "--port must be a whole number"),
        (("--config", "nowhere.toml"), "nowhere.toml cannot be read"),
    ],
)
def test_a_table_that_is_not_started_leaves_nothing(tmp_path: Path, arguments: tuple[str, str], words: str) -> None:
    done = jurado("serve", "--home", str(tmp_path / "new"), *arguments)
    assert done.exit_code == 2
    assert words in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["serve", "read", "enrol", "backup", "pin", "doctor", "calibrate"])
def test_an_empty_name_is_no_folder_for_the_tables_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = jurado(command, *["photo.jpg"] * (command == "read"), "--home", "")
    assert done.exit_code == 2
    assert "--home names no folder: what was given is empty" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_empty_variable_names_no_folder_either(monkeypatch: pytest.MonkeyPatch) -> None:
    from device.config import home

    monkeypatch.delenv("JURADO_HOME", raising=False)
    usual = home()
    for nothing in ("", " "):
        monkeypatch.setenv("JURADO_HOME", nothing)
        assert home() == usual


@pytest.mark.parametrize("command", [("doctor", "--zip"), ("markers",), ("backup",), ("bench", "--report")])
def test_a_new_file_in_a_folder_that_is_not_there_is_refused_before_any_work(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    target = tmp_path / "nowhere" / "new.pdf"
    done = jurado(*command, str(target))
    assert done.exit_code == 2
    assert f"There is no folder {target.parent} for new.pdf. Nothing was written." in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_table_that_cannot_start_says_so_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    started = process("serve", "--demo", "--home", tmp_path / "file" / "home", "--port", "1")
    out, said = started.communicate(timeout=300)
    assert (started.returncode, out) == (2, "")
    assert said.startswith("The folder ")
    assert said.count("\n") == 1


def test_serve_with_a_wrong_settings_file_says_so_and_starts_nothing(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("[web]\nport = 'x'\n")
    done = jurado("serve", "--home", str(tmp_path))
    assert done.exit_code == 2
    assert "web.port is 'x'" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["settings.toml"]
