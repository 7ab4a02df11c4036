"""Two real phones at one table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.carnavalesco import ELEMENTS
from engine.dice import Die
from tests.waiting import until
from tests.webui.hands import come_in, hold, tap_fast
from tests.webui.phone import WIDTH, Phone
from tests.webui.stage import Served, Stage, some_dice

LONG = ["Ana", "Unidos da Vila Isabel do Norte", "Império do Leão Dourado e Azul", "Acadêmicos"]
SOLO = {"solo": {"colours": ["red", "blue"]}}


@pytest.fixture(scope="module")
def phones() -> Iterator[tuple[Phone, Phone]]:
    first = Phone()
    second = Phone()
    yield first, second
    first.close()
    second.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    """A served table that trusts nobody without the code."""
    stage = Stage(tmp_path, trust_loopback=False)
    server = Served(stage)
    yield server
    server.close()
    stage.close()


def test_two_phones_type_a_roll_and_share_it_out(phones: tuple[Phone, Phone], house: Served) -> None:
    ana, bia = phones
    stage = house.stage
    stage.open_game()
    come_in(ana, house, 0)
    come_in(bia, house, 1)
    ana.waits_for("Your turn: draw 12 dice", "#prompt")
    bia.waits_for("Ana draws 12 dice", "#prompt")

    ana.tap("#by-hand")
    for die in some_dice(12):
        ana.tap(f"[data-hand='{die.colour}-{die.value}']")
    bia.waits_for("Type the roll", "#prompt")
    until(lambda: stage.station.proposal is not None and stage.station.proposal["empty"] == 0)
    ana.tap("#confirm")
    ana.waits_for("Your turn: take two dice", "#prompt")
    bia.waits_for("Ana takes two dice", "#prompt")
    assert len(bia.all(".dice .chip")) == 12

    for die, element in ((3, "harmony"), (0, "drums")):
        ana.tap(f"[data-die='{die}']")
        ana.tap(f"[data-element='{element}']")
    assert stage.table.now().state.boards[0].placed == 0, "nothing counts before it is confirmed"
    ana.run("const take = document.querySelector('#take'); take.click(); take.click();")  # two taps are one move
    bia.waits_for("Your turn: take two dice", "#prompt")
    until(lambda: len(bia.all(".chip.gone")) == 2)
    assert stage.table.now().state.boards[0].placed == 2

    # A half-made choice outlives whatever else happens at the table.
    bia.tap("[data-die='1']")
    bia.tap("[data-element='costumes']")
    bia.tap("[data-die='2']")
    seen = bia.run("return document.querySelector('#prompt').innerText")
    stage.station.touch()
    stage.table.save_strip("S", {str(total): 1 for total in range(4, 25)})
    ana.waits_for("Bia takes two dice", "#prompt")
    until(lambda: bia.sees("The strip of division S", "#recent"))
    assert bia.run("return document.querySelector('#prompt').innerText") == seen
    assert bia.all("[data-die='2'][aria-pressed=true]")
    assert bia.all("[data-element='costumes'] .ghost")
    bia.browser.refresh()
    until(lambda: bia.all("[data-die='2'][aria-pressed=true]") and bia.all("[data-element='costumes'] .ghost"))
    bia.tap("[data-element='costumes']")
    bia.tap("#take")
    ana.waits_for("Your turn: take two dice", "#prompt")
    assert stage.table.now().state.boards[1].placed == 2
    assert not [line for phone in phones for line in phone.complaints() if "favicon" not in line]


def test_a_photograph_is_read_corrected_and_confirmed(phones: tuple[Phone, Phone], house: Served) -> None:
    ana, bia = phones
    stage = house.stage
    stage.reader.dice, stage.reader.doubts = some_dice(12), {4}
    stage.open_game()
    come_in(ana, house, 0)
    come_in(bia, house, "watch")
    ana.tap("#capture")
    ana.waits_for("Is this a", "#editor")
    assert len(ana.all("svg.photo .ring")) == 12
    assert len(ana.all("svg.photo .ring.doubtful")) == 1
    bia.waits_for("Is this the roll?", "#prompt")
    assert not bia.all("#confirm"), "who watches has nothing to press"
    ana.tap("[data-key='list']")
    ana.tap("#editor [data-value='6']")
    until(lambda: stage.station.proposal is not None and stage.station.proposal["doubtful"] == 0)
    hold(ana, "[data-index='0']")
    ana.tap("#editor [data-colour='black']")
    until(lambda: any(die["colour"] == "black" and die["index"] == 0 for die in stage.station.proposal["dice"]))
    ana.tap("#confirm")
    bia.waits_for("Ana takes two dice", "#prompt")
    roll = stage.table.now().state.roll
    assert (roll[4].value, roll[0].colour) == (6, "black")


HOLD_ANSWERS_OF = """
const [held, fetched] = [arguments[0], window.fetch];
window.fetch = async (path, options) => {
  const answer = await fetched(path, options);
  if (path === held) await new Promise((go) => { window.letItCome = go; });
  return answer;
};
"""


def test_an_answer_that_was_overtaken_does_not_turn_the_page_back(phones: tuple[Phone, Phone], house: Served) -> None:
    phone, _ = phones
    stage = house.stage
    stage.reader.dice = some_dice(12)
    stage.open_game()
    come_in(phone, house, 0)
    until(lambda: phone.run("return document.documentElement.dataset.live") == "stream")
    phone.run(HOLD_ANSWERS_OF, "/api/capture")
    stage.camera.may_look.clear()
    phone.tap("#capture")
    until(lambda: phone.run("return Boolean(window.letItCome)"))
    stage.camera.may_look.set()
    phone.waits_for("Is this the roll?", "#prompt")
    phone.run("window.letItCome()")
    phone.tap("[data-index='3']")
    phone.waits_for("Tap what it really shows", "#editor")
    assert phone.sees("Is this the roll?", "#prompt")


def test_a_die_that_was_opened_while_an_answer_is_on_its_way_stays_open(
    phones: tuple[Phone, Phone], house: Served
) -> None:
    phone, _ = phones
    stage = house.stage
    stage.reader.dice, stage.reader.doubts = some_dice(12), {4}
    stage.open_game()
    come_in(phone, house, 0)
    phone.tap("#capture")
    phone.waits_for("Is this a", "#editor")
    phone.run(HOLD_ANSWERS_OF, "/api/proposal/dice")
    phone.tap("#editor [data-guess='1']")
    until(lambda: phone.run("return Boolean(window.letItCome)"))
    hold(phone, "[data-index='0']")
    phone.waits_for("Tap what it really shows", "#editor")
    phone.run("window.letItCome()")
    phone.waits_for("Confirm 12 dice", "#confirm")
    assert phone.all("#editor [data-colour='black']"), "the die that was opened is still in the editor"


def test_the_log_undoes_and_corrects(phones: tuple[Phone, Phone], house: Served) -> None:
    ana, bia = phones
    stage = house.stage
    stage.open_game()
    stage.roll()
    roll = stage.table.version
    stage.take()
    come_in(ana, house, 0)
    come_in(bia, house, 1)
    ana.open(f"{house.url}/log")
    ana.tap(f"[data-open='{roll}']")
    ana.tap("[data-past='11']")
    ana.tap("#past-editor [data-value='5']")
    was = stage.table.now().state.roll[11]
    ana.waits_for(f"Die 12: black {was.value} becomes black 5. The turn after it is computed again.", "#past-editor")
    ana.tap("[data-key='leave']")
    until(lambda: not ana.all("#past-editor"))
    assert stage.table.now().state.roll[11] == was, "nothing was changed by looking"
    ana.tap("[data-past='11']")
    ana.tap("#past-editor [data-value='5']")
    ana.tap("#correct")
    ana.waits_for("corrected", "#log")
    assert stage.table.now().state.roll[11].value == 5
    bia.waits_for("now", "#recent")
    rolled, taken = (entry["text"] for entry in reversed(stage.table.log()) if entry["kind"] == "move")
    ana.tap("[data-undo='2']")
    ana.waits_for(f"2 turns are taken back. The first of them: {rolled}", "#log .asked")
    bia.tap("#undo")
    bia.waits_for(f"This turn is taken back: {taken}", "#recent .asked")
    ana.tap("[data-yes]")
    bia.waits_for("Ana draws 12 dice", "#prompt")
    ana.waits_for("undone", "#log")


@pytest.mark.parametrize("where", ["", "/log"])
@pytest.mark.parametrize("taps", [2, 3])
def test_taps_in_haste_undo_nothing(phones: tuple[Phone, Phone], house: Served, where: str, taps: int) -> None:
    phone, _ = phones
    table = house.stage.table
    house.stage.open_game()
    house.stage.roll()
    house.stage.take()
    before = table.version
    come_in(phone, house, 0)
    key = "#undo"
    if where:
        phone.open(house.url + where)
        phone.tap(f"[data-open='{before}']")
        key = "[data-undo='1']"
    tap_fast(phone, key, taps)
    phone.waits_for("No, keep it", ".asked")
    until(lambda: not phone.run("return document.querySelector('[data-yes]').disabled"), "the moment to read")
    assert table.version == before
    phone.tap("[data-no]")
    until(lambda: not phone.all(".asked"))
    assert table.version == before, "it was kept"
    phone.tap(key)
    phone.tap("[data-yes]")
    until(lambda: table.version != before)


def test_a_phone_acts_for_a_seat_that_has_no_phone(phones: tuple[Phone, Phone], house: Served) -> None:
    phone, other = phones
    stage = house.stage
    stage.open_game()
    stage.roll()
    come_in(phone, house, 1)
    come_in(other, house, "all")
    phone.waits_for("Waiting for Ana", "#bar")
    phone.tap("#act-for")
    phone.waits_for("You are acting for Ana", "#seat")
    stage.station.touch()
    for die, element in ((0, "floats"), (1, "floats")):
        phone.tap(f"[data-die='{die}']")
        phone.tap(f"[data-element='{element}']")
    phone.tap("#take")
    phone.waits_for("Your turn: back to Bia", "#bar")
    assert phone.sees("You are acting for Ana", "#seat"), "news of the table do not end it"
    phone.tap("#act-own")
    phone.waits_for("Your turn: take two dice", "#prompt")
    assert other.all("[data-die='2']:not([disabled])"), "the phone that all share takes for Bia as well"


def test_a_phone_that_slept_catches_up(phones: tuple[Phone, Phone], house: Served) -> None:
    phone, _ = phones
    stage = house.stage
    stage.open_game()
    come_in(phone, house, 1)
    until(lambda: phone.run("return document.documentElement.dataset.live") == "stream")
    sleep = (
        "const asleep = arguments[0];"
        "Object.defineProperty(document, 'hidden', {configurable: true, get: () => asleep});"
        "document.dispatchEvent(new Event('visibilitychange'));"
    )
    phone.run(sleep, True)
    assert phone.run("return document.documentElement.dataset.live") == "poll", "a hidden page holds no stream"
    stage.roll()
    stage.take()
    assert phone.sees("Ana draws 12 dice", "#prompt"), "asleep it knows nothing"
    phone.run(sleep, False)
    phone.waits_for("Your turn: take two dice", "#prompt")
    until(lambda: phone.run("return document.documentElement.dataset.live") == "stream")


def test_a_phone_without_a_place_for_a_stream_polls(phones: tuple[Phone, Phone], tmp_path: Path) -> None:
    phone, _ = phones
    stage = Stage(tmp_path, live_clients=0)
    house = Served(stage)
    try:
        stage.open_game()
        phone.open(house.url)
        until(lambda: phone.run("return document.documentElement.dataset.live") == "poll")
        stage.roll()
        phone.waits_for("Ana takes two dice", "#prompt")
        stage.table.undo()
        phone.waits_for("Ana draws 12 dice", "#prompt")
        # A table that was started again may count from a lower number.
        stage.app.extensions["jurado"].snapshot._passing = 7
        stage.station.by_hand()
        phone.waits_for("Type the roll", "#prompt")
    finally:
        house.close()
        stage.close()


def test_a_lost_table_is_said_and_found_again(phones: tuple[Phone, Phone], house: Served) -> None:
    phone, _ = phones
    house.stage.open_game()
    come_in(phone, house, 0)
    phone.tool("Network.enable")
    offline = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    phone.tool("Network.emulateNetworkConditions", **offline)
    try:
        phone.waits_for("No connection to the table")
        phone.tap("#capture")
        phone.waits_for("No answer came", "#says")
    finally:
        phone.tool("Network.emulateNetworkConditions", **{**offline, "offline": False})
    until(lambda: not phone.sees("No connection to the table"))


def test_without_scripts_the_table_can_be_read(phones: tuple[Phone, Phone], house: Served) -> None:
    phone, _ = phones
    house.stage.open_game()
    house.stage.roll()
    phone.tool("Emulation.setScriptExecutionDisabled", value=True)
    try:
        phone.open(f"{house.url}/?watch")
        page = phone.browser.page_source
        assert "Ana takes two dice" in page
        assert "Load it again to see what is new" in page
    finally:
        phone.tool("Emulation.setScriptExecutionDisabled", value=False)


def test_a_game_from_the_first_page_to_the_champion(phones: tuple[Phone, Phone], tmp_path: Path) -> None:
    phone, _ = phones
    stage = Stage(tmp_path)
    house = Served(stage)
    try:
        phone.open(house.url)
        phone.tap("a[href='/new'].main")
        phone.tap("[data-game='carnavalesco']")
        until(lambda: len(phone.all("[data-name]")) == 2)
        for _ in range(2):
            phone.tap("#add-school")
        for at, field in enumerate(phone.all("[data-name]")):
            field.send_keys(LONG[at])
        phone.tap("#start")
        phone.waits_for("Ana draws 12 dice", "#prompt")
        assert list(stage.table.names) == LONG
        stage.play_to_the_end()
        phone.waits_for("The judges are ready", "#prompt")
        phone.tap("#to-end")
        for _ in range(len(ELEMENTS)):
            phone.tap("#next")
        phone.waits_for("Samba Theme Song", "#judge")
        phone.tap("#next")
        phone.waits_for("Champion of Carnaval", "#judge")
        phone.tap("#rematch")
        phone.waits_for("Ana draws 12 dice", "#prompt")
        for path in ("/", "/log", "/end", "/new", "/new/carnavalesco", "/strips", "/history", "/status", "/join"):
            phone.open(house.url + path)
            assert phone.run("return document.documentElement.scrollWidth") <= WIDTH, f"{path} is too wide"
            small = phone.run(
                "return [...document.querySelectorAll('main button, main select, main summary, .bar button, .top a')]"
                ".filter((e) => e.offsetParent && (e.offsetHeight < 48 || e.offsetWidth < 48))"
                ".map((e) => e.outerHTML.slice(0, 90))"
            )
            assert not small, f"{path} has targets under 48 px"
    finally:
        house.close()
        stage.close()


def test_a_strange_strip_is_warned_of_before_it_is_kept(phones: tuple[Phone, Phone], tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    house = Served(stage)
    try:
        phone = phones[0]
        phone.open(house.url + "/strips?division=D")
        for field in phone.all("[data-sum]"):
            field.send_keys("5")
        phone.waits_for("gives 6 for sum 17", "#warnings")
        assert stage.table.strips == {}
        phone.tap("#keep")
        until(lambda: stage.table.strips)
        assert phone.sees("gives 6 for sum 17", "#warnings")
    finally:
        house.close()
        stage.close()


CUT = """
const pen = document.createElement('canvas').getContext('2d');
return [...document.querySelectorAll('#schools select')].flatMap((one) => {
  const style = getComputedStyle(one);
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const arrow = 20, room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
  return [...one.options].map((option) => option.text).filter((text) => pen.measureText(text).width > room);
});
"""


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_no_choice_of_a_school_is_cut_off(phones: tuple[Phone, Phone], house: Served, language: str) -> None:
    phone, _ = phones
    phone.browser.delete_all_cookies()
    phone.open(f"{house.url}/new/carnavalesco?lang={language}")
    until(lambda: phone.all("#schools select"))
    assert phone.run("return document.documentElement.lang.slice(0, 2)") == language
    try:
        for width in (WIDTH, 320):
            phone.size(width, 844)
            assert phone.run(CUT) == [], f"at {width} pixels"
    finally:
        phone.size(WIDTH, 844)


def test_a_new_game_with_other_people_asks_who_is_who(phones: tuple[Phone, Phone], house: Served) -> None:
    ana, bia = phones
    stage = house.stage
    stage.open_game()
    come_in(ana, house, 0)
    come_in(bia, house, 1)
    for phone in phones:
        until(lambda phone=phone: phone.run("return document.documentElement.dataset.live") == "stream")
        phone.complaints()
    stage.table.open_game("carnavalesco", {"players": [{"name": "Caio"}, {"name": "Ana"}]}, abandon=True)
    ana.waits_for("Caio draws 12 dice", "#prompt")
    assert ana.sees("Ana", "#where")
    assert ana.all(".board[data-seat='1']"), "the own board is shown, wherever one sits now"
    bia.waits_for("Who are you?", "#who")
    assert not bia.all("#capture")
    bia.tap("[data-sit='0']")
    bia.waits_for("Your turn: draw 12 dice", "#prompt")
    bia.open(f"{house.url}/join")
    stage.table.open_game("carnavalesco", {"players": [{"name": "Duda"}]} | SOLO, abandon=True)
    bia.waits_for("Duda")
    ana.waits_for("Who are you?", "#who")
    ana.tap("[data-sit='all']")
    ana.waits_for("Official colours:", "#board")
    assert not [line for phone in phones for line in phone.complaints() if "favicon" not in line]


def test_a_base_by_hand_is_of_its_sum(phones: tuple[Phone, Phone], house: Served) -> None:
    phone, _ = phones
    stage = house.stage
    stage.open_game({"players": [{"name": "Ana", "table": "manual"}], **SOLO})
    roll = None
    while stage.table.now().state.phase != "judging":
        stage.roll() if stage.table.now().game.expects(stage.table.now().state) else stage.take()
        roll = roll or stage.table.version
    come_in(phone, house, 0)
    choose = (
        "const e = document.getElementById('base-0-vanguard'); e.value = '6'; e.dispatchEvent(new Event('change'));"
    )
    until(lambda: phone.all("#base-0-vanguard"))
    phone.run(choose)
    until(lambda: stage.table.now().state.bases(0))
    move = stage.table.log(1)[0]["move"]
    total = stage.table.now().game.scoreboard(stage.table.now().state)["players"][0]["elements"]["vanguard"]["sum"]
    assert (move["base"], move["sum"]) == (6, total)
    until(lambda: phone.run("return document.getElementById('base-0-vanguard')?.value") == "6")
    taken = next(at for at, one in enumerate(first_roll(stage, roll)) if one["value"] < 6)
    stage.table.correct(roll, taken, Die(first_roll(stage, roll)[taken]["colour"], 6))
    until(lambda: phone.run("return document.getElementById('base-0-vanguard')?.value") == "")


def first_roll(stage: Stage, seq: int) -> list[dict[str, object]]:
    dice = next(entry["move"]["dice"] for entry in stage.table.log() if entry["seq"] == seq)
    return list(dice)


def test_the_end_is_a_secret_until_it_is_heard(phones: tuple[Phone, Phone], house: Served) -> None:
    watcher, screen = phones
    stage = house.stage
    stage.open_game()
    stage.play_to_the_end()
    text = stage.table.outcome.text
    come_in(watcher, house, "watch")
    watcher.waits_for("The judges are ready", "#prompt")
    watcher.waits_for("Hear the marks", "#bar")
    assert not watcher.sees("perfect", "#board")
    watcher.open(f"{house.url}/history")
    assert not watcher.sees(text)
    come_in(screen, house, "watch")
    screen.open(f"{house.url}/tv")
    screen.waits_for("The judges are ready", "#work")
    watcher.open(house.url)
    watcher.tap("#to-end")
    watcher.tap("#next")
    screen.waits_for("1 of 9", "#work")
    watcher.tap("#all")
    watcher.waits_for(text, "#judge")
    assert not screen.sees(text), "one phone has looked at the result, not the table"
    watcher.open(f"{house.url}/history")
    watcher.waits_for(text)
    watcher.open(house.url)
    watcher.waits_for(text, "#prompt")


def test_a_die_that_was_not_seen_is_added(phones: tuple[Phone, Phone], house: Served) -> None:
    phone, _ = phones
    stage = house.stage
    stage.reader.dice = some_dice(11)
    stage.open_game()
    come_in(phone, house, 0)
    phone.tap("#capture")
    phone.waits_for("11 of 12 dice seen", ".problems")
    phone.tap("[data-key='add']")
    phone.waits_for("Its value and its colour?", "#editor")
    assert not phone.all(".problems li"), "one sentence about it, not two"
    phone.tap("#editor [data-value='4']")
    phone.waits_for("And its colour?", "#editor")
    phone.tap("#editor [data-colour='red']")
    until(lambda: not phone.all("#editor"))
    phone.tap("#confirm")
    phone.waits_for("Your turn: take two dice", "#prompt")
    assert stage.table.now().state.roll[11] == Die("red", 4)


def test_a_table_without_a_camera_asks_the_phone_for_its_own(phones: tuple[Phone, Phone], house: Served) -> None:
    phone, _ = phones
    stage = house.stage
    stage.app.extensions["jurado"].snapshot._camera = lambda: {"state": "none", "message": "No camera is set up."}
    stage.reader.dice = some_dice(12)
    stage.open_game()
    come_in(phone, house, 0)
    phone.waits_for("Photograph with this phone", "#phone.main")
    assert not phone.all("#capture")
    phone.run("window.asked = 0; document.getElementById('photo-file').click = () => { window.asked += 1; };")
    phone.tap("#phone")
    picture = cv2.imencode(".jpg", np.full((480, 640, 3), 90, np.uint8))[1].tobytes()
    stage.station.photo(picture)
    phone.waits_for("Is this the roll?", "#prompt")
    phone.tap("[data-key='again']")
    assert phone.run("return window.asked") == 2
    assert stage.station.proposal["source"] == "phone", "it still lies there"


def test_after_a_phones_picture_the_tables_camera_can_be_asked_again(
    phones: tuple[Phone, Phone], house: Served
) -> None:
    phone, _ = phones
    stage = house.stage
    stage.reader.dice = some_dice(12)
    stage.open_game()
    come_in(phone, house, 0)
    phone.waits_for("Photograph", "#capture")
    stage.station.photo(cv2.imencode(".jpg", np.full((480, 640, 3), 90, np.uint8))[1].tobytes())
    phone.waits_for("Photograph with the table's camera", ".tools")
    phone.tap("[data-key='camera']")
    until(lambda: (stage.station.proposal or {}).get("source") == "camera")
    until(lambda: phone.all("#confirm") and not phone.all("[data-key='camera']"))


def test_an_answer_that_was_lost_is_asked_for_again(phones: tuple[Phone, Phone], house: Served) -> None:
    ana, bia = phones
    stage = house.stage
    stage.open_game(
        {"players": [{"name": "Ana"}, {"name": "Bia"}], "house_rules": {"progression.ordered_spaces": "on"}}
    )
    stage.roll()
    come_in(ana, house, 0)
    # A choice outlives a look at the log, and the correction of another die.
    ana.tap("[data-die='7']")
    ana.tap("[data-element='progression'] [data-space='2']")
    ana.waits_for("Prog", "[data-die='7']")
    ana.tap("[data-die='8']")
    ana.open(f"{house.url}/log")
    stage.table.correct(stage.table.version, 0, Die("black", 3))
    ana.open(f"{house.url}/?live=0")
    ana.waits_for("Prog", "[data-die='7']")
    ana.tap("[data-element='costumes']")
    # Done, but the answer is lost on its way, and the page has no news either.
    ana.run(
        "const fetched = window.fetch; window.lose = true;"
        "window.fetch = async (path, options) => {"
        "  if (window.lose && !options?.method) throw new TypeError('lost');"
        "  const answer = await fetched(path, options);"
        "  if (window.lose) throw new TypeError('lost');"
        "  return answer;"
        "};"
    )
    ana.tap("#take")
    ana.waits_for("No answer came. Look whether it was done; it is safe to press again.", "#says")
    assert stage.table.now().state.boards[0].placed == 2
    seq = stage.table.version
    ana.run("window.lose = false")
    ana.tap("#take")
    ana.waits_for("Bia takes two dice", "#prompt")
    assert stage.table.version == seq, "the same act is done once"
    assert ana.run("return document.activeElement.id") == "prompt"
    assert not ana.all("#says .bad"), "a complaint is over once it went well"
    progression = stage.table.now().game.view(stage.table.now().state)["players"][0]["elements"]["progression"]
    assert progression[0]["space"] == 2

    # Both press confirm: the second one is calmly told.
    stage.table.undo(2)
    stage.station.by_hand()
    for index, die in enumerate(some_dice(12)):
        stage.station.edit(index, colour=die.colour, value=die.value)
    ana.run("window.lose = false")
    ana.waits_for("Confirm 12 dice", "#bar")
    come_in(bia, house, 1)
    bia.waits_for("Confirm 12 dice", "#bar")
    bia.run(
        "const fetched = window.fetch;"
        "window.fetch = async (path, options) => {"
        "  if (path === '/api/proposal/confirm') await new Promise((go) => { window.letItGo = go; });"
        "  return fetched(path, options);"
        "};"
    )
    bia.tap("#confirm")
    until(lambda: bia.run("return Boolean(window.letItGo)"))
    ana.tap("#confirm")
    ana.waits_for("Your turn: take two dice", "#prompt")
    bia.run("window.letItGo()")
    bia.waits_for("Already confirmed.", "#says")
    assert not bia.all("#says .bad")
