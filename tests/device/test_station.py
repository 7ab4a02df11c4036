"""The station, on a real table with a real journal and the real rules of Carnavalesco."""

from __future__ import annotations

import itertools
import json
import random
import threading
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.camera import CameraTimeout
from device.loading import LoadingReader
from device.photos import PhotoRing
from device.station import Station
from engine.dice import Die, DieState, Shape
from engine.game import GameError, IllegalMove, InvalidInput
from engine.journal import Journal
from engine.table import StaleVersion, Table
from tests.device.conftest import CARNAVALESCO_DICE, ScriptedCamera, ScriptedReader, read_die
from tests.waiting import until
from webui.snapshot import Snapshot

_LATER = itertools.count()
"""Seconds by which each press of a test is later than the last, so that none counts as its bounce."""


def captured(station: Station) -> dict:
    """Press, wait for the reading, and return the proposal."""
    assert station.press(time.monotonic() + next(_LATER))
    until(lambda: station.state == "proposal", "the proposal")
    assert station.proposal is not None
    return station.proposal


def refused(code: str):
    """Expect a refusal with this code, in the one error shape."""
    return pytest.raises(GameError, check=lambda error: error.code == code and error.message.endswith("."))


def test_a_press_becomes_a_proposal_and_a_confirmed_roll(station: Station, table: Table) -> None:
    proposal = captured(station)
    assert proposal["state"] == "ready"
    assert proposal["source"] == "camera"
    assert [(die["colour"], die["value"]) for die in proposal["dice"]] == [
        (die.colour, die.value) for die in CARNAVALESCO_DICE
    ]
    assert proposal["problems"] == []
    assert {"camera", "detect", "read", "press"} <= set(proposal["milliseconds"])
    event = station.confirm(proposal["id"], version=table.version, client_id="one", by="host")
    assert station.state == "idle"
    assert station.proposal is None
    assert table.game is not None
    view = table.game.view(table.state)
    assert view["phase"] == "take"
    assert [(die["colour"], die["value"]) for die in view["roll"]] == [(d.colour, d.value) for d in CARNAVALESCO_DICE]
    assert event.payload["by"] == "host"
    assert event.seq == table.version


def test_the_camera_is_asked_for_a_frame_from_after_the_press(station: Station, camera: ScriptedCamera) -> None:
    pressed_at = time.monotonic()
    station.press(pressed_at)
    until(lambda: station.state == "proposal")
    assert camera.asked == [pressed_at]


def test_the_reader_is_told_what_the_game_waits_for(station: Station, reader: ScriptedReader, table: Table) -> None:
    captured(station)
    assert table.game is not None
    assert reader.expects == table.game.expects(table.state)


def test_presses_while_one_is_worked_on_are_the_same_press(station: Station, camera: ScriptedCamera) -> None:
    camera.hold()
    pressed_at = time.monotonic()
    assert station.press(pressed_at)
    assert station.state == "capturing"
    assert not station.press(pressed_at + 0.1)
    assert not station.press(pressed_at + 5.0)
    camera.go.set()
    until(lambda: station.state == "proposal")
    assert not station.press(pressed_at + 0.25), "a bounce that comes after a quick reading"
    assert station.press(pressed_at + 0.31)
    until(lambda: station.state == "proposal")
    assert len(camera.asked) == 2


def test_a_new_photograph_replaces_a_proposal_that_stood(station: Station) -> None:
    first = captured(station)
    second = captured(station)
    assert first["id"] != second["id"]
    with refused("stale_proposal"):
        station.confirm(first["id"])
    station.confirm(second["id"])


def test_every_call_returns_while_the_camera_hangs(station: Station, camera: ScriptedCamera) -> None:
    camera.hold()
    assert station.press()
    with refused("station_busy"):
        station.confirm()
    with refused("station_busy"):
        station.edit(0, value=3)
    assert station.discard()
    assert station.state == "idle"
    station.by_hand()
    assert station.proposal is not None
    camera.go.set()
    station.close()
    assert station.proposal["source"] == "hand", "the late photograph does not push the typed dice away"


def test_a_camera_that_fails_is_said_in_words_and_the_dice_can_be_typed(
    station: Station, camera: ScriptedCamera, table: Table
) -> None:
    camera.error = CameraTimeout("USB camera 0 did not answer within 3 s.", "Check its cable")
    proposal = captured(station)
    assert proposal["state"] == "failed"
    assert proposal["error"]["code"] == "camera_timeout"
    assert "nothing was lost" in proposal["error"]["message"]
    assert station.failed
    with refused("no_proposal"):
        station.confirm()
    station.by_hand()
    proposal = station.proposal
    assert proposal is not None
    assert len(proposal["dice"]) == proposal["empty"] == 12
    assert proposal["photo"] is None
    for die, wanted in zip(proposal["dice"], CARNAVALESCO_DICE, strict=True):
        station.edit(die["index"], colour=wanted.colour)
        with refused("missing_value"):
            station.confirm()
        station.edit(die["index"], value=wanted.value)
    station.confirm()
    assert table.game is not None
    assert table.game.view(table.state)["phase"] == "take"


def test_a_roll_with_a_die_missing_is_refused_until_it_is_added(station: Station, reader: ScriptedReader) -> None:
    reader.dice = reader.dice[:-1]
    proposal = captured(station)
    assert proposal["problems"] == ["11 of 12 dice seen. Add the missing die, or photograph again."]
    with refused("dice_missing"):
        station.confirm()
    index = station.add_die()
    with refused("missing_value"):
        station.confirm()
    station.edit(index, colour="black", value=6)
    assert station.proposal is not None
    assert station.proposal["problems"] == []
    station.confirm()


def test_a_die_too_many_is_refused_until_it_is_removed(station: Station, reader: ScriptedReader) -> None:
    reader.dice = [*reader.dice, read_die(Die("red", 1))]
    captured(station)
    with refused("too_many_dice"):
        station.confirm()
    station.remove_die(3)
    with refused("unknown_die"):
        station.remove_die(3)
    station.edit(4, value=2)
    station.confirm()


def test_a_die_of_another_shape_is_named(station: Station, reader: ScriptedReader) -> None:
    reader.dice = [read_die(Die("red", 8, Shape.D8)), *reader.dice[1:]]
    proposal = captured(station)
    assert proposal["problems"] == ["1 d8 too many: the game waits for 12 d6. Tap a die to correct its shape."]
    with refused("bad_die"):
        station.edit(0, shape="d6")
    station.edit(0, shape="d6", value=1)
    station.confirm()


def test_a_colour_that_the_bag_does_not_hold_is_named(station: Station, reader: ScriptedReader) -> None:
    reader.dice = [read_die(Die("purple", 1)), *reader.dice[1:]]
    proposal = captured(station)
    assert proposal["problems"] == ["1 purple die seen, but none can lie there. Tap a die to correct its colour."]
    with refused("wrong_colour"):
        station.confirm()


def test_doubtful_dice_come_first_and_are_asked_about(station: Station, reader: ScriptedReader, table: Table) -> None:
    reader.dice = list(reader.dice)
    reader.dice[5] = read_die(CARNAVALESCO_DICE[5], DieState.UNSURE, 0.6)
    reader.dice[7] = read_die(CARNAVALESCO_DICE[7], DieState.COCKED, 0.4)
    proposal = captured(station)
    assert [die["index"] for die in proposal["dice"]][:3] == [7, 5, 0]
    assert proposal["doubtful"] == 2
    with refused("doubtful_dice"):
        station.confirm()
    station.edit(7, value=4)
    assert station.proposal is not None
    assert [die["index"] for die in station.proposal["dice"]][:2] == [7, 5], "a corrected chip stays where it is"
    assert station.proposal["dice"][0]["state"] == "corrected"
    with refused("doubtful_dice"):
        station.confirm()
    station.edit(5)
    assert station.proposal["doubtful"] == 0
    station.confirm()
    assert table.game is not None
    roll = table.game.view(table.state)["roll"]
    assert (roll[7]["value"], roll[5]["value"]) == (4, CARNAVALESCO_DICE[5].value), "dice keep the picture's order"


def test_doubtful_dice_can_be_accepted_knowingly(station: Station, reader: ScriptedReader) -> None:
    reader.dice = [read_die(die, DieState.UNSURE) for die in CARNAVALESCO_DICE]
    captured(station)
    station.confirm(accept_doubtful=True)


def test_the_confirm_button_does_not_pass_doubtful_dice_but_says_why(
    station: Station, reader: ScriptedReader, table: Table
) -> None:
    reader.dice = [read_die(CARNAVALESCO_DICE[0], DieState.UNSURE), *reader.dice[1:]]
    captured(station)
    later = time.monotonic() + 10
    assert not station.confirm_by_button(later)
    assert station.proposal is not None
    assert station.proposal["notice"].startswith("1 die is doubtful.")
    station.edit(0)
    assert station.proposal["notice"] is None
    assert station.confirm_by_button(later)
    assert table.log(1)[0]["by"] == "panel"


def test_a_confirm_press_right_at_the_reading_is_not_obeyed(station: Station) -> None:
    captured(station)
    assert not station.confirm_by_button(station._ready_at + 0.1)
    assert station.confirm_by_button(station._ready_at + 0.4)


def test_the_undo_button_discards_first_and_then_undoes(station: Station, table: Table) -> None:
    captured(station)
    station.confirm()
    captured_again = station.press(time.monotonic() + 1000)
    assert captured_again
    assert station.undo_by_button()
    assert station.state == "idle"
    assert table.game is not None
    assert table.game.view(table.state)["phase"] == "take"
    assert station.undo_by_button()
    assert table.game.view(table.state)["phase"] == "roll"
    assert not station.undo_by_button()


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"value": 7}, "value"),
        ({"value": 0}, "value"),
        ({"value": True}, "value"),
        ({"value": "3"}, "value"),
        ({"colour": "Rot!"}, "colour"),
        ({"colour": 5}, "colour"),
        ({"shape": "d7"}, "shape"),
    ],
)
def test_what_no_die_can_be_is_refused_and_changes_nothing(station: Station, said: dict, field: str) -> None:
    before = captured(station)
    with pytest.raises(InvalidInput) as refusal:
        station.edit(2, **said)
    assert refusal.value.field == field
    assert station.proposal == before


@pytest.mark.parametrize("index", [99, -1, None, "0", True])
def test_a_die_that_is_not_there_is_refused(station: Station, index: object) -> None:
    captured(station)
    with refused("unknown_die"):
        station.edit(index, value=3)  # type: ignore[arg-type]


def test_confirming_twice_with_one_id_counts_once(station: Station, table: Table) -> None:
    captured(station)
    first = station.confirm(client_id="same")
    version = table.version
    assert station.confirm(client_id="same") == first
    assert table.version == version
    with refused("no_proposal"):
        station.confirm(client_id="other")


def test_confirming_what_an_old_page_shows_is_refused_and_the_proposal_stays(station: Station, table: Table) -> None:
    captured(station)
    old = table.version
    table.save_strip("D", {str(number): 5 for number in range(4, 25)})
    with pytest.raises(StaleVersion):
        station.confirm(version=old)
    station.confirm(version=table.version)


def test_when_no_roll_is_waited_for_a_photograph_can_be_looked_at_but_not_confirmed(
    station: Station, table: Table
) -> None:
    captured(station)
    station.confirm()
    proposal = captured(station)
    assert proposal["problems"] == ["No roll is waited for now, so these dice cannot be confirmed. Discard them."]
    with refused("no_roll_expected"):
        station.confirm()
    with refused("no_roll_expected"):
        station.by_hand()


def test_without_a_game_typing_dice_says_that_none_is_open(station: Station, table: Table) -> None:
    table.close_game(abandon=True)
    with pytest.raises(IllegalMove, match="No game is open"):
        station.by_hand()


def test_two_phones_that_confirm_at_once_roll_once(station: Station, table: Table) -> None:
    captured(station)
    version, gate, answers = table.version, threading.Barrier(2), []

    def confirm(name: str) -> None:
        gate.wait()
        try:
            station.confirm(version=version, client_id=name)
            answers.append("confirmed")
        except GameError as error:
            answers.append(error.code)

    phones = [threading.Thread(target=confirm, args=(name,)) for name in ("a", "b")]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert answers.count("confirmed") == 1
    assert table.version == version + 1


def test_the_photograph_and_its_dice_can_be_looked_at_and_lead_from_the_log(
    station: Station, table: Table, tmp_path: Path
) -> None:
    proposal = captured(station)
    photo = tmp_path / proposal["photo"].lstrip("/")
    assert cv2.imread(str(photo)).shape == (480, 640, 3)
    crop = cv2.imread(str(tmp_path / proposal["dice"][0]["crop"].lstrip("/")))
    assert max(crop.shape) == 192
    blue, green, red = crop[crop.shape[0] // 2, crop.shape[1] // 2]
    assert red > 150
    assert max(blue, green) < 60, "the die is in the middle of its picture"
    event = station.confirm()
    until(lambda: station.photo_of(event.seq) == proposal["photo"])
    facts = json.loads(photo.with_suffix(".json").read_text())
    assert facts["turn"] == event.seq
    assert facts["game_id"] == table.game_id
    assert len(facts["dice"]) == 12
    assert PhotoRing(tmp_path / "photos").of_turn(event.seq) == photo.name, "also after a restart"
    assert station.photo_of(12345) is None


def test_a_photograph_that_cannot_be_kept_does_not_stop_the_roll(station: Station, tmp_path: Path) -> None:
    (tmp_path / "photos").write_text("a file where the folder should be")
    proposal = captured(station)
    assert proposal["state"] == "ready"
    assert proposal["photo"] is None
    assert any("could not be kept" in note for note in proposal["notes"])
    station.confirm()


def test_a_phone_s_photograph_goes_the_same_way(station: Station, table: Table, camera: ScriptedCamera) -> None:
    _, jpeg = cv2.imencode(".jpg", np.full((300, 400, 3), 120, np.uint8))
    station.photo(jpeg.tobytes())
    until(lambda: station.state == "proposal")
    proposal = station.proposal
    assert proposal is not None
    assert (proposal["source"], proposal["width"], proposal["height"]) == ("phone", 400, 300)
    assert "load" in proposal["milliseconds"]
    assert camera.asked == []
    station.confirm()


def test_a_file_that_is_no_picture_is_refused_and_a_standing_proposal_stays(station: Station) -> None:
    before = captured(station)
    with refused("bad_photo"):
        station.photo(b"this is no picture")
    assert station.proposal == before


def test_a_reader_that_fails_is_said_in_words(station: Station, reader: ScriptedReader) -> None:
    reader.error = RuntimeError("onnx says no")
    proposal = captured(station)
    assert proposal["error"]["code"] == "reading_failed"
    assert proposal["photo"] is not None, "the picture is there to type from"
    station.by_hand()


def test_missing_models_are_named_and_the_dice_can_be_typed(
    table: Table, camera: ScriptedCamera, tmp_path: Path
) -> None:
    def make() -> ScriptedReader:
        raise FileNotFoundError("detector.onnx is not there")

    reader = LoadingReader(make)
    reader.start()
    station = Station(table, camera, reader, PhotoRing(tmp_path / "photos"))
    proposal = captured(station)
    assert proposal["error"]["code"] == "model_missing"
    assert "detector.onnx" in proposal["error"]["message"]
    station.by_hand()
    station.close()


def test_a_press_while_the_models_load_waits_and_says_so(
    table: Table, camera: ScriptedCamera, reader: ScriptedReader, tmp_path: Path
) -> None:
    gate = threading.Event()

    def make() -> ScriptedReader:
        gate.wait(20)
        return reader

    loading = LoadingReader(make)
    loading.start()
    station = Station(table, camera, loading, PhotoRing(tmp_path / "photos"))
    station.press()
    until(lambda: (station.proposal or {}).get("notice"))
    assert station.proposal is not None
    assert "still loading" in station.proposal["notice"]
    gate.set()
    until(lambda: station.state == "proposal")
    assert station.proposal["state"] == "ready"
    assert station.proposal["notice"] is None
    station.close()


def test_listeners_hear_of_every_change_with_no_lock_held(station: Station) -> None:
    seen: list[str] = []
    station.subscribe(lambda: seen.append(station.state))
    proposal = captured(station)
    station.edit(0, value=2)
    station.discard(proposal["id"])
    assert seen[0] == "capturing"
    assert seen[-1] == "idle"
    assert "proposal" in seen


def test_a_proposal_is_small_enough_for_a_phone(station: Station) -> None:
    captured(station)
    assert len(json.dumps(station.proposal)) < 8_000
    for _ in range(48):
        station.add_die(colour="red", value=1)
    with refused("too_many_dice"):
        station.add_die(colour="red", value=1)


def test_the_reader_s_notes_are_passed_on(station: Station, reader: ScriptedReader) -> None:
    reader.notes = ("One die was settled by the other eleven.",)
    assert captured(station)["notes"] == ["One die was settled by the other eleven."]


def test_a_reading_without_a_die_can_still_be_filled_in(station: Station, reader: ScriptedReader) -> None:
    reader.dice = []
    proposal = captured(station)
    assert proposal["dice"] == []
    assert proposal["problems"] == ["0 of 12 dice seen. Add the 12 missing dice, or photograph again."]
    station.add_die(colour="red", value=3)


def test_a_box_outside_the_picture_only_lacks_its_crop(station: Station, reader: ScriptedReader) -> None:
    reader.dice = [replace(reader.dice[0], box=(5000.0, 5000.0, 40.0, 40.0)), *reader.dice[1:]]
    proposal = captured(station)
    assert [die["crop"] is None for die in proposal["dice"]] == [True] + [False] * 11


def test_many_hands_at_once_neither_lock_up_nor_break_the_game(
    station: Station, table: Table, camera: ScriptedCamera
) -> None:
    """Buttons, phones and pages at the same time: only refusals in words, and the journal tells the same state."""
    snapshot = Snapshot(table=table, station=station, camera=dict, start=0)
    broken: list[BaseException] = []
    later = itertools.count(1)

    def hand(seed: int) -> None:
        chance = random.Random(seed)
        acts = (
            lambda: station.press(time.monotonic() + 10 * next(later)),
            lambda: station.confirm(client_id=f"{seed}-{next(later)}", version=table.version),
            lambda: station.confirm_by_button(time.monotonic() + 1e6),
            lambda: station.edit(chance.randrange(14), value=chance.randint(1, 6)),
            station.add_die,
            lambda: station.remove_die(chance.randrange(14)),
            station.by_hand,
            station.discard,
            station.undo_by_button,
            partial(snapshot._compose, "en"),
        )
        for _ in range(60):
            try:
                chance.choice(acts)()
            except GameError as refusal:
                assert refusal.message  # noqa: PT017
            except BaseException as error:
                broken.append(error)
                raise

    hands = [threading.Thread(target=hand, args=(seed,), daemon=True) for seed in range(5)]
    for each in hands:
        each.start()
    for each in hands:
        each.join(60)
    assert not any(each.is_alive() for each in hands), "somebody waits for ever"
    assert broken == []
    until(lambda: station.state != "capturing")
    assert table.game is not None
    again = Table(table.journal)
    assert table.game.dump(again.state) == table.game.dump(table.state)


def test_a_new_game_lets_the_old_games_proposal_go(station: Station, table: Table) -> None:
    captured(station)
    table.open_game("carnavalesco", {"players": [{"name": "Caio"}, {"name": "Duda"}]}, abandon=True)
    assert station.proposal is None
    assert station.state == "idle"


def test_a_proposal_goes_when_its_roll_is_no_longer_waited_for(station: Station, table: Table) -> None:
    captured(station)
    assert table.game is not None
    table.apply(table.game.roll_move(table.state, CARNAVALESCO_DICE))
    assert station.proposal is None


def test_a_proposal_stays_while_its_roll_is_still_waited_for(station: Station, table: Table) -> None:
    proposal = captured(station)
    table.save_strip("S", {str(total): 1 for total in range(4, 25)})
    assert station.proposal is not None
    assert station.proposal["id"] == proposal["id"]


def test_a_photograph_under_way_for_the_old_game_is_not_shown(station: Station, table: Table) -> None:
    station.press(time.monotonic() + next(_LATER))
    table.open_game("carnavalesco", {"players": [{"name": "Caio"}, {"name": "Duda"}]}, abandon=True)
    station.close()
    assert station.proposal is None


def test_a_roll_that_does_not_count_is_written_down_and_can_be_taken_after_all(station: Station, table: Table) -> None:
    proposal = captured(station)
    event = station.void("fell", proposal["id"], version=table.version, client_id="void-1", by=0)
    assert station.void("fell", client_id="void-1") == event, "the same request is done once"
    assert (event.kind, event.payload["reason"], len(event.payload["dice"])) == ("roll.void", "fell", 12)
    assert table.log()[0]["text"] == "Ana's roll does not count: a die fell off the table."
    assert station.proposal is None
    assert table.state.phase == "roll", "the game still waits"
    assert [(one["photo"], one["why"]) for one in station.earlier] == [(proposal["photo"], "fell")]
    until(lambda: station.photo_of(event.seq) == proposal["photo"], "the photograph beside the line")
    station.reread(proposal["photo"])
    until(lambda: station.state == "proposal")
    assert station.proposal["photo"] == proposal["photo"]
    assert station.earlier == []
    station.confirm()
    assert table.state.phase == "take"


def test_a_void_roll_teaches_nothing_and_can_only_be_one_that_is_waited_for(station: Station, table: Table) -> None:
    taught: list[object] = []
    station._darkroom._learn = taught.append
    captured(station)
    with refused("bad_reason"):
        station.void("bored")
    assert station.proposal is not None, "it stands as it was"
    event = station.void("bump")
    until(lambda: station.photo_of(event.seq))
    assert taught == []
    with refused("no_proposal"):
        station.void("bump")
    captured(station)
    station.confirm()
    captured(station)
    with refused("no_roll_expected"):
        station.void("bump")


def test_photographs_that_do_not_count_are_forgotten_with_the_roll(station: Station, table: Table) -> None:
    first, second = captured(station), captured(station)
    assert [(one["photo"], one["why"]) for one in station.earlier] == [(first["photo"], "again")]
    station.discard()
    assert [one["why"] for one in station.earlier] == ["again", "discarded"]
    with refused("unknown_photo"):
        station.reread("/photos/000009-00000000.jpg")
    captured(station)
    station.confirm()
    assert station.earlier == [], "another roll is waited for"
    with refused("unknown_photo"):
        station.reread(second["photo"])


def test_reading_a_photograph_again_keeps_it_and_lets_corrections_go(station: Station) -> None:
    first = captured(station)
    station.edit(0, value=4)
    station.remove_die(1)
    station.reread(proposal=first["id"])
    until(lambda: station.state == "proposal")
    again = station.proposal
    assert again is not None
    assert (again["photo"], again["source"]) == (first["photo"], "camera")
    assert [die["value"] for die in again["dice"]] == [die["value"] for die in first["dice"]]
    assert {die["crop"] for die in again["dice"]}.isdisjoint({die["crop"] for die in first["dice"]})
    assert again["removed"] == []


def test_the_reader_looks_where_somebody_points_and_asks_about_it(station: Station, reader: ScriptedReader) -> None:
    reader.dice = reader.dice[:11]
    reader.overlooked = [read_die(Die("black", 6), DieState.UNSURE, 0.6)]
    captured(station)
    index = station.add_die(at=(300.0, 200.0))
    until(lambda: not [die for die in station.proposal["dice"] if die["looking"]])
    (added,) = (die for die in station.proposal["dice"] if die["index"] == index)
    assert (added["colour"], added["value"], added["state"]) == ("black", 6, "unsure")
    assert added["box"] == [280.0, 180.0, 40.0, 40.0], "as large as the others"
    assert added["crop"].startswith("/photos/")
    assert station.proposal["doubtful"] == 1
    ((at, side, expects),) = reader.looked
    assert (at, side) == ((300.0, 200.0), 40.0)
    assert expects is not None
    assert expects.shapes == {Shape.D6: 1}, "only what is missing"
    assert expects.colours is not None
    assert expects.colours["black"] == 25 - 1


def test_a_place_outside_of_the_picture_and_a_reader_that_fails_leave_the_die_to_be_typed(
    station: Station, reader: ScriptedReader
) -> None:
    reader.dice = reader.dice[:11]
    captured(station)
    for place in ((-1.0, 5.0), (640.0, 5.0), (5.0, 480.0), (float("nan"), 5.0)):
        with refused("bad_place"):
            station.add_die(at=place)
    reader.error = RuntimeError("broken")
    index = station.add_die(at=(300.0, 200.0))
    until(lambda: not [die for die in station.proposal["dice"] if die["looking"]])
    station.edit(index, colour="black", value=2)
    assert station.proposal["problems"] == []


def test_a_die_that_was_named_while_the_reader_looks_stays_as_it_was_named(
    station: Station, reader: ScriptedReader
) -> None:
    reader.dice = reader.dice[:11]
    captured(station)
    go = threading.Event()

    def slow(*_: object, **__: object) -> object:
        assert go.wait(20)
        return read_die(Die("white", 1))

    reader.look = slow  # type: ignore[method-assign, assignment]
    index = station.add_die(at=(300.0, 200.0))
    assert [die["looking"] for die in station.proposal["dice"] if die["index"] == index] == [True]
    station.edit(index, colour="red", value=5)
    go.set()
    captured(station)
    assert reader.looked == []
    (added,) = (die for die in station.earlier[0]["dice"][-1:])
    assert (added["colour"], added["value"]) == ("red", 5)


def test_a_removed_die_comes_back_as_it_was(station: Station) -> None:
    first = captured(station)
    station.edit(3, value=1)
    station.remove_die(3)
    assert [die["index"] for die in station.proposal["removed"]] == [3]
    assert station.proposal["missing"] == [{"shape": "d6", "colour": None}]
    with refused("unknown_die"):
        station.restore_die(4)
    station.restore_die(3)
    assert station.proposal["removed"] == []
    assert len(station.proposal["dice"]) == len(first["dice"])
    assert next(die["value"] for die in station.proposal["dice"] if die["index"] == 3) == 1
    assert station.add_die() == 12, "an index never names two dice"


def test_the_dice_too_many_are_named(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "sins.sqlite3", now=lambda: "2026-11-30T20:00:00+00:00")
    table, reader = Table(journal), ScriptedReader()
    table.open_game("carnival_of_sins", {"players": [{"name": "Ana"}, {"name": "Bia"}]})
    expects = table.game.expects(table.state)
    dice = [Die(colour, 1, shape) for shape, colour in expects.dice]
    reader.dice = [read_die(die) for die in (*dice, Die("black", 2, Shape.D8), Die("black", 2, Shape.D20))]
    station = Station(table, ScriptedCamera(), reader, PhotoRing(tmp_path / "photos"))
    try:
        assert captured(station)["problems"][:1] == [
            "9 dice seen, but the game waits for 7: 1 d8 and 1 d20 too many. Remove them, or photograph again."
        ]
        station.remove_die(8)
        assert station.proposal["problems"] == [
            "8 dice seen, but the game waits for 7: 1 d8 too many. Remove it, or photograph again."
        ]
    finally:
        station.close()
        journal.close()


def test_a_die_that_is_added_has_the_colour_that_goes_with_its_shape(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "sins.sqlite3", now=lambda: "2026-11-30T20:00:00+00:00")
    table, reader = Table(journal), ScriptedReader()
    table.open_game("carnival_of_sins", {"players": [{"name": "Ana"}, {"name": "Bia"}]})
    known = table.game.expects(table.state).dice
    reader.dice = [read_die(Die(colour, 1, shape)) for shape, colour in known if (shape, colour) != (Shape.D8, "black")]
    station = Station(table, ScriptedCamera(), reader, PhotoRing(tmp_path / "photos"))
    try:
        captured(station)
        index = station.add_die()
        added = next(die for die in station.proposal["dice"] if die["index"] == index)
        assert (added["shape"], added["colour"], added["value"]) == ("d8", "black", None)
        station.remove_die(index)
        other = station.add_die(shape="d6")
        added = next(die for die in station.proposal["dice"] if die["index"] == other)
        assert (added["shape"], added["colour"]) == ("d6", None), "no d6 is missing, so nobody knows which it is"
    finally:
        station.close()
        journal.close()
