"""What people do with a phone beside tapping it: come in at a table, hold a finger on something, put it down."""

from __future__ import annotations

import time

from tests.waiting import until
from tests.webui.phone import WIDTH, Phone
from tests.webui.stage import CODE, Served


def come_in(phone: Phone, house: Served, seat: int | str) -> None:
    """Join a table that trusts nobody without the code, and take a seat: an index, `all` or `watch`."""
    phone.browser.delete_all_cookies()
    phone.open(f"{house.url}/join?code={CODE}")
    phone.open(house.url)
    phone.tap(f"[data-sit='{seat}']")
    until(lambda: not phone.all("#who"), "the seat")


def fits(phone: Phone, where: str) -> None:
    """Hold that nothing on the page is wider than the phone."""
    assert phone.run("return document.documentElement.scrollWidth") <= WIDTH, f"{where} is too wide"


def middle(phone: Phone, selector: str, across: float = 0.5, down: float = 0.5) -> tuple[float, float]:
    """Return where on the screen the first element that matches lies, once it is there and in view.

    `across` and `down` are shares of its width and height.
    """
    until(lambda: phone.all(selector), selector)
    place = phone.run(
        "const e = document.querySelector(arguments[0]);"
        "e.scrollIntoView({block: 'center', behavior: 'instant'});"
        "const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height];",
        selector,
    )
    left, top, width, height = map(float, place)
    return left + width * across, top + height * down


def touch(phone: Phone, selector: str, across: float = 0.5, down: float = 0.5) -> None:
    """Touch a place of the first element that matches with a finger, and lift it at once."""
    phone.tool("Emulation.setTouchEmulationEnabled", enabled=True)
    x, y = middle(phone, selector, across, down)
    phone.tool("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    phone.tool("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def tap_fast(phone: Phone, selector: str, times: int, apart: float = 0.3) -> None:
    """Tap where the first element that matches lies, `times` times, `apart` seconds apart, whatever lies there."""
    x, y = middle(phone, selector)
    for number in range(times):
        if number:
            time.sleep(apart)
        for kind in ("mousePressed", "mouseReleased"):
            phone.tool("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def hold(phone: Phone, selector: str) -> None:
    """Hold a finger on the first element that matches until the page takes it for held, then lift it."""
    phone.tool("Emulation.setTouchEmulationEnabled", enabled=True)
    x, y = middle(phone, selector)
    phone.tool("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    until(lambda: phone.all("#editor .pad"), "the list of all values")
    phone.tool("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def put_down(*phones: Phone) -> None:
    """Leave the page before its table goes away, so that the next test hears no complaint about it."""
    for phone in phones:
        # A page that is about to load itself anew, after an act, may do so in the place of the blank one.
        until(lambda phone=phone: _left(phone), "the blank page")
        phone.complaints()


def _left(phone: Phone) -> bool:
    phone.open("about:blank")
    return bool(phone.run("return location.href === 'about:blank'"))


def choose(phone: Phone, selector: str, value: str) -> None:
    """Choose a value of a select, once it is there."""
    until(lambda: phone.all(selector))
    phone.run(
        "const e = document.querySelector(arguments[0]); e.value = arguments[1];"
        "e.dispatchEvent(new Event('change', {bubbles: true}));",
        selector,
        value,
    )


def tap_drawn(phone: Phone, selector: str) -> None:
    """Tap something that is drawn, such as a space of a ring."""
    until(lambda: phone.all(selector))
    phone.run("document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', {bubbles: true}))", selector)
