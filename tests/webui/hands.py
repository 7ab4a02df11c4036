"""What people do with a phone beside tapping it: come in at a table, and put it down."""

from __future__ import annotations

from tests.waiting import until
from tests.webui.phone import Phone
from tests.webui.stage import CODE, Served


def come_in(phone: Phone, house: Served, seat: int | str) -> None:
    """Join a table that trusts nobody without the code, and take a seat: an index, `all` or `watch`."""
    phone.browser.delete_all_cookies()
    phone.open(f"{house.url}/join?code={CODE}")
    phone.open(house.url)
    phone.tap(f"[data-sit='{seat}']")
    until(lambda: not phone.all("#who"))


def put_down(*phones: Phone) -> None:
    """Leave the page before its table goes away, so that the next test hears no complaint about it."""
    for phone in phones:
        phone.open("about:blank")
        phone.complaints()


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
