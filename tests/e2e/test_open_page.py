"""A page that is left open while the table is switched off, killed, or out of reach, and goes on by itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.conftest import Product
from tests.waiting import until
from tests.webui.phone import Phone


@pytest.fixture
def phone() -> Iterator[Phone]:
    one = Phone()
    yield one
    one.close()


def live(phone: Phone) -> str:
    return str(phone.run("return document.documentElement.dataset.live"))


def roll(product: Product) -> None:
    """Confirm a roll that somebody else types."""
    typed = product.act("/api/proposal/hand")["proposal"]
    for at, die in enumerate(typed["dice"]):
        said = {"proposal": typed["id"], "action": "edit", "index": die["index"]}
        product.act("/api/proposal/dice", **said, colour="red" if at < 6 else "blue", value=at % 6 + 1)
    product.act("/api/proposal/confirm", proposal=typed["id"])


def test_a_page_left_open_over_a_restart_goes_on_by_itself(two_schools: Product, phone: Phone) -> None:
    phone.open(two_schools.url)
    phone.waits_for("Ana draws 12 dice", "#prompt")
    until(lambda: live(phone) == "stream")
    phone.run("window.never_loaded_again = true")
    two_schools.kill()
    phone.waits_for("No connection to the table")
    two_schools.start()
    until(lambda: not phone.sees("No connection to the table"))
    roll(two_schools)
    phone.waits_for("Ana takes two dice", "#prompt")
    until(lambda: live(phone) == "stream")
    two_schools.act("/api/undo", count=1)
    phone.waits_for("Ana draws 12 dice", "#prompt")
    phone.tap("#by-hand")
    phone.waits_for("Type the roll", "#prompt")
    assert two_schools.state["proposal"]["source"] == "hand", "the page can act as well as see"
    assert phone.run("return window.never_loaded_again")


def test_a_page_over_an_orderly_stop_and_start_goes_on_too(two_schools: Product, phone: Phone) -> None:
    phone.open(two_schools.url)
    until(lambda: live(phone) == "stream")
    for _ in range(2):
        two_schools.stop()
        two_schools.start()
        roll(two_schools)
        phone.waits_for("Ana takes two dice", "#prompt")
        two_schools.act("/api/undo", count=1)
        phone.waits_for("Ana draws 12 dice", "#prompt")


def test_a_page_that_was_frozen_is_right_once_it_wakes(two_schools: Product, phone: Phone) -> None:
    phone.open(two_schools.url)
    until(lambda: live(phone) == "stream")
    frozen = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    phone.tool("Network.enable")
    phone.tool("Page.setWebLifecycleState", state="frozen")
    phone.tool("Network.emulateNetworkConditions", **frozen)
    two_schools.kill()
    two_schools.start()
    roll(two_schools)
    phone.tool("Network.emulateNetworkConditions", **{**frozen, "offline": False})
    phone.tool("Page.setWebLifecycleState", state="active")
    phone.waits_for("Ana takes two dice", "#prompt")
