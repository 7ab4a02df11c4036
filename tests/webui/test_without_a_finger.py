"""The table without a finger and without eyes: the keyboard alone, what is read out by itself, and no motion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from engine.carnavalesco import ELEMENTS
from tests.waiting import until
from tests.webui.hands import put_down
from tests.webui.phone import Phone
from tests.webui.stage import Served, some_dice

FOCUSED = """
const one = document.activeElement;
if (one === document.body) return null;
const { left, top, width, height } = one.getBoundingClientRect();
const style = getComputedStyle(one);
const here = document.elementFromPoint(left + width / 2, top + height / 2);
return {
  key: one.dataset.key || one.id || one.textContent.trim().slice(0, 30),
  ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
  seen: one.contains(here) || Boolean(here?.contains(one)) || one.classList.contains("skip"),
};
"""


@pytest.fixture
def phone(served: Served) -> Iterator[Phone]:
    one = Phone()
    yield one
    put_down(one)
    one.close()


def press(phone: Phone, key: str, *, shift: bool = False) -> None:
    keys = ActionChains(phone.browser)
    (keys.key_down(Keys.SHIFT).send_keys(key).key_up(Keys.SHIFT) if shift else keys.send_keys(key)).perform()


def tab_to(phone: Phone, found: Callable[[dict[str, Any]], bool], back: bool = False) -> dict[str, Any]:
    """Press Tab until what has the focus is `found`; everything on the way must show that it has it."""
    for _ in range(120):
        press(phone, Keys.TAB, shift=back)
        one = phone.run(FOCUSED)
        if one is None:
            continue
        assert one["ring"], f"{one['key']} does not show that it has the focus"
        assert one["seen"], f"{one['key']} has the focus out of sight"
        if found(one):
            return dict(one)
    raise AssertionError("the focus never came there")


def test_two_dice_are_taken_by_the_keyboard_alone(phone: Phone, served: Served) -> None:
    stage = served.stage
    stage.open_game()
    stage.roll()
    phone.open(served.url)
    phone.waits_for("Ana takes two dice", "#prompt")
    first = tab_to(phone, lambda one: True)
    assert "page" in first["key"], "the first stop leaps over the menu"
    for die in ("roll-0", "roll-5"):
        tab_to(phone, lambda one, die=die: one["key"] == die, back=die != "roll-0")
        press(phone, Keys.ENTER)
        assert phone.run(FOCUSED)["key"] == die, "the focus stays where it was, though the page is drawn anew"
        tab_to(phone, lambda one: one["key"].startswith("element-"))
        press(phone, Keys.ENTER)
    tab_to(phone, lambda one: one["key"] == "take")
    press(phone, Keys.ENTER)
    phone.waits_for("Bia takes two dice", "#prompt")
    assert stage.table.now().state.boards[0].placed == 2
    until(lambda: phone.run("return document.activeElement.id") == "prompt")


def test_the_menus_open_and_close_by_keys(phone: Phone, served: Served) -> None:
    phone.open(f"{served.url}/history")
    for menu in ("#preferences", "nav"):
        phone.run("document.querySelector(arguments[0]).closest('details').querySelector('summary').focus()", menu)
        press(phone, Keys.ENTER)
        until(lambda: phone.all(".menu[open]"))
        press(phone, Keys.TAB)
        assert phone.run("return document.activeElement.closest('.menu[open]') !== null"), "inside comes next"
        press(phone, Keys.ESCAPE)
        until(lambda: not phone.all(".menu[open]"))
        assert phone.run("return document.activeElement.tagName") == "SUMMARY", "back on its own key"


def test_whose_turn_it_is_and_a_new_reading_are_read_out(phone: Phone, served: Served) -> None:
    stage = served.stage
    stage.open_game()
    phone.open(served.url)
    phone.waits_for("Ana draws", "#prompt")
    until(lambda: phone.run("return document.documentElement.dataset.live") == "stream")
    # What stays in place and changes its text is what screen readers read out.
    phone.run(
        "window.told = []; const prompt = document.getElementById('prompt');"
        "new MutationObserver(() => window.told.push(prompt.innerText))"
        ".observe(prompt, {childList: true, subtree: true, characterData: true});"
    )
    assert phone.run("return document.getElementById('prompt').getAttribute('aria-live')") == "polite"
    stage.reader.dice = some_dice(12)
    stage.station.press()
    phone.waits_for("Is this the roll?", "#prompt")
    stage.station.confirm()
    phone.waits_for("Ana takes two dice", "#prompt")
    told = "\n".join(phone.run("return window.told"))
    assert told.index("Is this the roll?") < told.index("Ana takes two dice")
    assert phone.run("return document.getElementById('says').getAttribute('role')") == "status"


def test_who_wants_no_motion_sees_none(phone: Phone, served: Served) -> None:
    stage = served.stage
    stage.open_game()
    stage.play_to_the_end()
    moving = "return document.getAnimations().filter((one) => one.playState === 'running').length"
    phone.open(f"{served.url}/end")
    for _ in range(len(ELEMENTS) + 1):
        phone.tap("#next")
    phone.waits_for("Champion of Carnaval", "#judge")
    for reduced in ("no-preference", "reduce"):
        phone.likes(reduced_motion=reduced)
        phone.browser.refresh()
        phone.waits_for("Champion of Carnaval", "#judge")
        assert bool(phone.run(moving)) == (reduced == "no-preference")
