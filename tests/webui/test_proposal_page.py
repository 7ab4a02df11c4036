"""The reading of a roll under the fingers of a real browser: turn, list, add, remove, read again, declare void."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.dice import Die
from tests.waiting import until
from tests.webui.hands import come_in, hold, touch
from tests.webui.phone import WIDTH, Phone
from tests.webui.stage import Served, Stage, some_dice


@pytest.fixture(scope="module")
def phones() -> Iterator[tuple[Phone, Phone]]:
    first, second = Phone(), Phone()
    yield first, second
    first.close()
    second.close()


@pytest.fixture
def phone(phones: tuple[Phone, Phone]) -> Phone:
    return phones[0]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    """A table of two players, at which twelve dice lie."""
    stage = Stage(tmp_path, trust_loopback=False)
    stage.open_game()
    stage.reader.dice = some_dice(12)
    server = Served(stage)
    yield server
    server.close()
    stage.close()


def photographed(phone: Phone, house: Served) -> dict[str, Any]:
    """Press the button; return the proposal that the phone then shows."""
    phone.tap("#capture")
    until(lambda: phone.all("#confirm"))
    return lying(house)


def lying(house: Served) -> dict[str, Any]:
    proposal = house.stage.station.proposal
    assert proposal is not None
    return proposal


def die(house: Served, index: int) -> dict[str, Any]:
    return next(one for one in lying(house)["dice"] if one["index"] == index)


def test_a_tap_turns_a_die_to_its_next_likely_value_and_a_hold_lists_them_all(phone: Phone, house: Served) -> None:
    come_in(phone, house, 0)
    read = photographed(phone, house)["dice"][3]
    likely = [guess["value"] for guess in read["guesses"]]
    assert likely[0] == read["value"]
    touch(phone, "[data-index='3']")
    until(lambda: die(house, 3)["value"] == likely[1], "the second guess")
    assert die(house, 3)["state"] == "corrected"
    assert phone.all("#editor .crop"), "the picture of the die beside what it may be"
    assert not phone.all("#editor .pad")
    for _ in range(2):
        touch(phone, "[data-index='3']")
    shown = phone.run("return document.querySelector('[data-index=\"3\"] .die-value').textContent")
    assert shown == str(likely[3]), "it turns under the finger, before the table knows"
    until(lambda: die(house, 3)["value"] == likely[3], "the value that it was turned to at last")
    hold(phone, "[data-index='5']")
    assert phone.all("[data-index='5'][aria-pressed=true]")
    before = die(house, 5)
    phone.tap("#editor [data-value='6']")
    until(lambda: die(house, 5)["value"] == 6)
    assert before["state"] == "read", "holding it changed nothing"


def test_a_ring_in_the_photograph_is_the_die_itself(phone: Phone, house: Served) -> None:
    come_in(phone, house, 0)
    second = photographed(phone, house)["dice"][2]["guesses"][1]["value"]
    touch(phone, "[data-ring='2'] .ring")
    until(lambda: die(house, 2)["value"] == second)
    assert len(lying(house)["dice"]) == 12, "a tap on a ring adds nothing"
    hold(phone, "[data-ring='4'] .ring")
    assert phone.all("[data-index='4'][aria-pressed=true]")
    covered = phone.run(
        "const all = [...document.querySelectorAll('svg.photo .ring, svg.photo .ring-text')];"
        "const first = all.findIndex((one) => one.matches('.ring-text'));"
        "return [all.length, all.slice(first).filter((one) => one.matches('.ring')).length]"
    )
    assert covered == [24, 0], "no ring is drawn over a neighbour's value"


COVERED = """
const edges = (one) => one.getBoundingClientRect();
const shared = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
const picture = edges(document.querySelector('svg.photo')), scale = picture.width / arguments[1];
const boxes = arguments[0].map(([x, y, w, tall]) => ({left: picture.left + x * scale, top: picture.top + y * scale,
  right: picture.left + (x + w) * scale, bottom: picture.top + (y + tall) * scale}));
// The digits of a line of text, which has room for letters above and below them.
const digits = ({left, right, top, bottom, height}) =>
  ({left, right, width: right - left, top: top + .25 * height, bottom: bottom - .2 * height, height: .55 * height});
const labels = [...document.querySelectorAll('[data-label]')].map((one) => digits(edges(one)));
const least = labels.map((one) => one.width * one.height);
return labels.map((one, at) => [
  Math.max(0, ...boxes.map((box) => shared(one, box) / least[at])),
  Math.max(0, ...labels.filter((other) => other !== one).map((other) => shared(one, other) / least[at])),
  1 - shared(one, picture) / least[at],
]);
"""


def test_where_dice_touch_no_value_lies_over_a_die_or_another_value(phone: Phone, house: Served) -> None:
    house.stage.reader.rows, house.stage.reader.doubts = (4, 60.0, 60.0), {0, 5, 11}
    come_in(phone, house, 0)
    boxes = [one["box"] for one in photographed(phone, house)["dice"]]
    phone.tap("[data-key='zoom']")
    until(lambda: phone.run("return document.querySelector('svg.photo').getAttribute('viewBox')") == "0 0 640 480")
    covered = phone.run(COVERED, boxes, 640)
    assert len(covered) == 12
    assert max(max(each) for each in covered) < 0.05
    assert phone.all("svg.photo .lead"), "lines lead to the two in the middle"
    second = die(house, 6)["guesses"][1]["value"]
    touch(phone, "[data-label='6']")
    until(lambda: die(house, 6)["value"] == second, "a tap on a value is one on its die")
    assert len(lying(house)["dice"]) == 12


def test_a_value_that_was_just_turned_is_told_before_the_roll_is_confirmed(phone: Phone, house: Served) -> None:
    come_in(phone, house, 0)
    second = photographed(phone, house)["dice"][0]["guesses"][1]["value"]
    phone.run("document.querySelector('[data-index=\"0\"]').click();document.querySelector('#confirm').click();")
    phone.waits_for("Your turn: take two dice", "#prompt")
    assert house.stage.table.state.roll[0].value == second


def test_doubtful_dice_come_one_by_one_and_each_needs_one_tap(phone: Phone, house: Served) -> None:
    house.stage.reader.doubts = {2, 7}
    come_in(phone, house, 0)
    first, other = photographed(phone, house)["dice"][:2]
    phone.waits_for("2 doubtful dice left", "#editor")
    assert [guess.get_attribute("data-guess") for guess in phone.all("#editor [data-guess]")] == [
        str(guess["value"]) for guess in first["guesses"]
    ]
    touch(phone, f"[data-index='{other['index']}']")
    until(lambda: phone.all(f"[data-index='{other['index']}'][aria-pressed=true]"))
    assert die(house, other["index"])["state"] == "unsure", "a doubtful die is asked about, not changed"
    phone.tap("#right")
    until(lambda: phone.all(f"[data-index='{first['index']}'][aria-pressed=true]"))
    phone.tap(f"#editor [data-guess='{first['guesses'][1]['value']}']")
    until(lambda: not phone.all("#editor"))
    assert die(house, first["index"])["value"] == first["guesses"][1]["value"]
    assert die(house, other["index"])["value"] == other["value"]
    phone.waits_for("Confirm 12 dice", "#confirm")


def test_a_missed_die_is_added_by_touching_it_in_the_picture(phone: Phone, house: Served) -> None:
    house.stage.reader.dice = some_dice(11)
    come_in(phone, house, 0)
    photographed(phone, house)
    phone.waits_for("11 of 12 dice seen", ".problems")
    assert len(phone.all(".chip.lacking")) == 1, "a place for the one that is missing"
    touch(phone, "svg.photo", 0.5, 0.9)
    phone.waits_for("Is this a green 2?", "#editor")
    added = die(house, 11)
    x, y, width, height = added["box"]
    assert abs(x + width / 2 - 320) < 4
    assert abs(y + height / 2 - 432) < 4
    until(lambda: phone.all("#editor img.crop"))
    phone.tap("#right")
    phone.waits_for("Confirm 12 dice", "#confirm")
    phone.tap("#confirm")
    phone.waits_for("Your turn: take two dice", "#prompt")
    assert house.stage.table.state.roll[11] == Die("green", 2)


def test_a_missed_die_right_beside_a_ring_is_added_and_that_one_left_alone(phone: Phone, house: Served) -> None:
    house.stage.reader.dice = some_dice(11)
    come_in(phone, house, 0)
    before = photographed(phone, house)["dice"][0]
    phone.waits_for("11 of 12 dice seen", ".problems")
    # Outside the ring, and so near to it that Chromium moves the tap of a finger onto it.
    touch(phone, "[data-ring='0'] .ring", 0.5, 1.15)
    phone.waits_for("Is this a green 2?", "#editor")
    assert die(house, 11)["box"]
    assert die(house, 0)["value"] == before["value"]


def test_what_is_no_die_goes_and_comes_back_with_a_tap_on_its_place(phone: Phone, house: Served) -> None:
    come_in(phone, house, 0)
    photographed(phone, house)
    hold(phone, "[data-index='6']")
    phone.tap("[data-key='remove']")
    until(lambda: len(lying(house)["dice"]) == 11)
    until(lambda: phone.all("[data-crossed='6']"))
    touch(phone, "[data-crossed='6'] rect")
    until(lambda: len(lying(house)["dice"]) == 12)
    assert die(house, 6)["state"] == "read", "as it was read"
    hold(phone, "[data-index='6']")
    phone.tap("[data-key='remove']")
    phone.tap("[data-restore='6']")
    until(lambda: len(lying(house)["dice"]) == 12)


def test_the_picture_shows_its_dice_large_or_the_whole(phone: Phone, house: Served) -> None:
    house.stage.reader.dice = some_dice(3)
    come_in(phone, house, 0)
    photographed(phone, house)

    def view() -> list[float]:
        box = phone.run("return document.querySelector('svg.photo').getAttribute('viewBox')")
        return [float(edge) for edge in box.split()]

    assert view() == [0, 0, 640, 480], "a die that is missing may lie anywhere"
    phone.tap("[data-key='zoom']")
    until(lambda: view() != [0, 0, 640, 480])
    left, top, width, height = view()
    for one in lying(house)["dice"]:
        x, y, wide, tall = one["box"]
        assert left <= x
        assert x + wide <= left + width
        assert top <= y
        assert y + tall <= top + height
    assert width < 480
    touch(phone, "[data-ring='1'] .ring")
    until(lambda: die(house, 1)["state"] == "corrected")
    phone.tap("[data-key='zoom']")
    until(lambda: view() == [0, 0, 640, 480])


def test_the_same_photograph_is_read_again(phone: Phone, house: Served) -> None:
    come_in(phone, house, 0)
    first = photographed(phone, house)
    house.stage.reader.dice = some_dice(12, shift=1)
    phone.tap("[data-key='reread']")
    until(lambda: lying(house)["id"] != first["id"] and lying(house)["state"] == "ready")
    again = lying(house)
    assert again["photo"] == first["photo"]
    assert [one["value"] for one in again["dice"]] != [one["value"] for one in first["dice"]]
    assert again["dice"][0]["crop"] != first["dice"][0]["crop"], "a new picture has a new name"
    assert house.stage.station.earlier == []


def test_a_roll_that_does_not_count_is_said_on_every_phone_and_can_count_after_all(
    phones: tuple[Phone, Phone], house: Served
) -> None:
    ana, bia = phones
    come_in(ana, house, 0)
    come_in(bia, house, 1)
    first = photographed(ana, house)
    ana.tap("#void")
    ana.tap("[data-key='void-back']")
    ana.tap("#void")
    ana.tap("[data-void='fell']")
    bia.waits_for("Ana's roll does not count: a die fell off the table.", "#recent")
    ana.waits_for("draw 12 dice", "#prompt")
    bia.waits_for("Does not count: a die fell off the table.", "#earlier")
    assert house.stage.table.now().state.phase == "roll"
    until(lambda: house.stage.table.log()[0]["seq"] in house.stage.photos._of_turn)
    second = photographed(ana, house)
    assert second["photo"] != first["photo"]
    assert [one["photo"] for one in house.stage.station.earlier] == [first["photo"]]
    bia.tap("[data-earlier]")
    until(lambda: lying(house)["photo"] == first["photo"] and lying(house)["state"] == "ready")
    assert [(one["photo"], one["why"]) for one in house.stage.station.earlier] == [(second["photo"], "again")]
    until(lambda: ana.all(f"svg image[href='{first['photo']}']"))
    ana.tap("#confirm")
    bia.waits_for("Ana takes two dice", "#prompt")
    until(lambda: not bia.all("#earlier"))
    bia.open(f"{house.url}/log")
    bia.tap("[data-open='2']")
    until(lambda: bia.all("#log img.photo"))


def test_a_press_by_mistake_leaves_no_line_in_the_log(phone: Phone, house: Served) -> None:
    come_in(phone, house, 0)
    lines = len(house.stage.table.log())
    photographed(phone, house)
    phone.tap("#void")
    phone.tap("[data-void='null']")
    until(lambda: house.stage.station.proposal is None)
    assert len(house.stage.table.log()) == lines
    phone.waits_for("Does not count: put away.", "#earlier")


def test_a_reading_that_helps_nobody_is_typed_instead_and_its_photograph_stays_in_sight(
    phone: Phone, house: Served
) -> None:
    come_in(phone, house, 0)
    first = photographed(phone, house)
    phone.tap(".tools [data-key='hand']")
    phone.waits_for("Type the roll", "#prompt")
    assert lying(house)["source"] == "hand"
    until(lambda: phone.all(f"#earlier [data-earlier='{first['photo']}']"))
    phone.tap("[data-earlier]")
    phone.waits_for("Confirm 12 dice", "#confirm")
    assert lying(house)["photo"] == first["photo"]


SPEECH = """
window.said = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
const voice = {speaking: false, pending: false, getVoices: () => [], cancel: () => {},
  speak: (one) => window.said.push([one.lang, one.text])};
Object.defineProperty(window, 'speechSynthesis', {configurable: true, get: () => window.silent ? undefined : voice});
"""


def test_the_roll_is_read_aloud_on_request_and_not_offered_where_the_browser_has_no_voice(
    phone: Phone, house: Served
) -> None:
    come_in(phone, house, 0)
    assert phone.run("return typeof window.speechSynthesis.speak") == "function", "this browser has one"
    phone.run(SPEECH)
    photographed(phone, house)
    phone.tap("[data-key='aloud']")
    dice = lying(house)["dice"]
    red = sorted(one["value"] for one in dice if one["colour"] == "red")
    lang, text = phone.run("return window.said[0]")
    assert lang == "en"
    assert f"red: {', '.join(map(str, red))}." in text
    assert text.count(":") == len({one["colour"] for one in dice})
    phone.run("window.silent = true")
    house.stage.station.discard()
    photographed(phone, house)
    assert not phone.all("[data-key='aloud']")


def test_the_reading_fits_the_narrowest_phone_and_every_target_is_large_enough(phone: Phone, house: Served) -> None:
    house.stage.reader.dice, house.stage.reader.doubts = some_dice(11), {1}
    come_in(phone, house, 0)
    phone.tool("Emulation.setDeviceMetricsOverride", width=320, height=640, deviceScaleFactor=2, mobile=True)
    try:
        photographed(phone, house)
        house.stage.station.remove_die(5)
        until(lambda: phone.all("[data-restore]"))
        assert phone.run("return document.documentElement.scrollWidth") <= 320
        small = phone.run(
            "return [...document.querySelectorAll('main button, .bar button')]"
            ".filter((e) => e.offsetParent && (e.offsetHeight < 48 || e.offsetWidth < 44))"
            ".map((e) => e.outerHTML.slice(0, 90))"
        )
        assert not small
        phone.tap("#void")
        until(lambda: phone.all("[data-void]"))
        assert phone.run("return document.documentElement.scrollWidth") <= 320
    finally:
        phone.tool("Emulation.setDeviceMetricsOverride", width=WIDTH, height=844, deviceScaleFactor=2, mobile=True)
