"""What locks a table: made once, kept for its user's eyes only, changed on purpose."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from device.keys import CODE_LETTERS, Keys, secret_of
from engine.game import GameError


def test_the_secret_is_made_once_and_for_this_user_only(tmp_path: Path) -> None:
    secret = secret_of(tmp_path)
    assert len(secret) == 32
    assert secret_of(tmp_path) == secret
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    with pytest.raises(GameError, match="cannot be used"):
        secret_of(tmp_path / "secret" / "below a file")


def test_code_and_pin_are_made_at_the_first_start_and_kept_for_this_user_only(tmp_path: Path) -> None:
    first = Keys(tmp_path)
    again = Keys(tmp_path)
    assert (again.join_code, again.pin, again.pin_id) == (first.join_code, first.pin, first.pin_id)
    assert len(first.join_code) == 5
    assert len(first.pin) == 6
    assert first.pin.isdigit()
    assert stat.S_IMODE((tmp_path / "keys.json").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["keys.json"]


def test_no_two_tables_have_the_same_keys(tmp_path: Path) -> None:
    made = [Keys(folder) for number in range(20) if (folder := tmp_path / str(number)).mkdir() is None]
    assert len({keys.pin for keys in made}) > 15
    assert len({keys.join_code for keys in made}) > 15


def test_a_join_code_has_no_signs_that_are_taken_for_one_another(tmp_path: Path) -> None:
    keys = Keys(tmp_path)
    seen = set()
    for _ in range(200):
        keys.change_code(empty=False)
        seen |= set(keys.join_code)
    assert seen == set(CODE_LETTERS)
    for alike in ("0ODQ", "1IL", "2Z", "5S", "8B", "6G", "UV"):
        assert len(seen & set(alike)) <= 1, f"two of {alike}"


def test_a_new_code_keeps_phones_in_or_sends_them_away(tmp_path: Path) -> None:
    keys = Keys(tmp_path)
    code, pin = keys.join_code, keys.pin
    keys.change_code(empty=False)
    assert keys.join_code != code
    assert keys.times_emptied == 0
    keys.change_code(empty=True)
    assert keys.times_emptied == 1
    assert keys.pin == pin


def test_a_code_of_the_settings_stays_whatever_is_asked(tmp_path: Path) -> None:
    keys = Keys(tmp_path, fixed_code="SAMBA7")
    keys.change_code(empty=True)
    assert keys.join_code == "SAMBA7"
    assert keys.code_is_fixed
    assert keys.times_emptied == 1


def test_a_pin_made_by_another_process_counts_at_once(tmp_path: Path) -> None:
    table, command = Keys(tmp_path), Keys(tmp_path)
    old = table.pin_id
    new = command.change_pin()
    assert table.pin == new
    assert table.pin_id != old


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"pin": 1}', b"\xff\xfe"])
def test_a_damaged_file_is_set_aside_and_new_keys_are_made(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "keys.json").write_bytes(content)
    keys = Keys(tmp_path)
    assert len(keys.pin) == 6
    aside = list(tmp_path.glob("keys-damaged-*.json"))
    assert [path.read_bytes() for path in aside] == [content]


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give a file away")
def test_what_root_writes_stays_the_tables_users(tmp_path: Path) -> None:
    Keys(tmp_path)
    os.chown(tmp_path / "keys.json", 12345, 12345)
    Keys(tmp_path).change_pin()
    kept = (tmp_path / "keys.json").stat()
    assert (kept.st_uid, kept.st_gid, stat.S_IMODE(kept.st_mode)) == (12345, 12345, 0o600)


def test_a_folder_that_cannot_be_written_to_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GameError, match="cannot be used"):
        Keys(tmp_path / "file")
