"""Two real phones at one table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.carnavalesco import ELEMENTS
from tests.webui.phone import WIDTH, Phone
from tests.webui.stage import CODE, Served, Stage, some_dice, until

LONG = ["Ana", "Unidos da Vila Isabel do Norte", "Império do Leão Dourado e Azul", "Acadêmicos"]


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


def come_in(phone: Phone, house: Served, seat: int | str) -> None:
    phone.browser.delete_all_cookies()
    phone.open(f"{house.url}/join?code={CODE}")
    phone.open(house.url)
    phone.tap(f"[data-sit='{seat}']")
    until(lambda: not phone.all("#who"))


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
    ana.tap("#take")
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
    ana.tap("#editor [data-value='6']")
    until(lambda: stage.station.proposal is not None and stage.station.proposal["doubtful"] == 0)
    ana.tap("[data-index='0']")
    ana.tap("#editor [data-colour='black']")
    until(lambda: any(die["colour"] == "black" and die["index"] == 0 for die in stage.station.proposal["dice"]))
    ana.tap("#confirm")
    bia.waits_for("Ana takes two dice", "#prompt")
    roll = stage.table.now().state.roll
    assert (roll[4].value, roll[0].colour) == (6, "black")


def test_an_answer_that_was_overtaken_does_not_turn_the_page_back(phones: tuple[Phone, Phone], house: Served) -> None:
    phone, _ = phones
    stage = house.stage
    stage.reader.dice = some_dice(12)
    stage.open_game()
    come_in(phone, house, 0)
    until(lambda: phone.run("return document.documentElement.dataset.live") == "stream")
    phone.run(
        "const fetched = window.fetch;"
        "window.fetch = async (path, options) => {"
        "  const answer = await fetched(path, options);"
        "  if (path === '/api/capture') await new Promise((go) => { window.letItCome = go; });"
        "  return answer;"
        "};"
    )
    stage.camera.may_look.clear()
    phone.tap("#capture")
    until(lambda: phone.run("return Boolean(window.letItCome)"))
    stage.camera.may_look.set()
    phone.waits_for("Is this the roll?", "#prompt")
    phone.run("window.letItCome()")
    phone.tap("[data-index='3']")
    phone.waits_for("Tap what it really shows", "#editor")
    assert phone.sees("Is this the roll?", "#prompt")


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
    ana.waits_for("corrected", "#log")
    assert stage.table.now().state.roll[11].value == 5
    bia.waits_for("now", "#recent")
    ana.tap("[data-undo='2']")
    ana.tap("[data-undo='2']")
    bia.waits_for("Ana draws 12 dice", "#prompt")
    ana.waits_for("undone", "#log")


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
        for path in ("/", "/log", "/end", "/new", "/strips", "/history", "/status", "/join"):
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
