"""Two phones play a round at the running demo: photographed, read, looked over, confirmed, shared out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import Product
from tests.waiting import until
from tests.webui.phone import Phone

CODE = "27182"
PICKS = [
    ("Ana", [(0, "vanguard"), (1, "floats")]),
    ("Bia", [(2, "harmony"), (3, "harmony")]),
    ("Ana", [(4, "floats"), (5, "costumes")]),
    ("Bia", [(6, "drums"), (7, "theme_song")]),
]


@pytest.fixture
def strangers(tmp_path: Path) -> Iterator[Product]:
    """The demo as phones on the Wi-Fi find it: nobody is trusted without the code."""
    settings = tmp_path / "settings.toml"
    settings.write_text(f'[web]\njoin_code = "{CODE}"\ntrust_loopback = false\n')
    one = Product(tmp_path / "home", "--config", str(settings))
    yield one
    one.stop()


@pytest.fixture
def phones() -> Iterator[tuple[Phone, Phone]]:
    ana, bia = Phone(), Phone()
    yield ana, bia
    ana.close()
    bia.close()


def look_at_the_doubtful(phone: Phone) -> None:
    """Say of every doubtful die that it is right, as somebody does who looks at the table."""
    while phone.all("#right"):
        left = len(phone.all(".chip.doubtful"))
        phone.tap("#right")
        until(lambda left=left: len(phone.all(".chip.doubtful")) < left)


def photograph_until_all_are_seen(phone: Phone) -> None:
    phone.tap("#capture")
    until(lambda: phone.all("#confirm"))
    while phone.all(".problems li"):
        shown = phone.run("return document.querySelector('svg.photo image')?.getAttribute('href')")
        phone.tap("[data-key='again']")
        until(
            lambda shown=shown: (
                phone.all("#confirm")
                and phone.run("return document.querySelector('svg.photo image')?.getAttribute('href')") != shown
            )
        )


def test_a_round_from_capture_to_the_last_pick_on_two_phones(strangers: Product, phones: tuple[Phone, Phone]) -> None:
    ana, bia = phones
    for phone in phones:
        phone.open(f"{strangers.url}/join?code={CODE}")
    ana.open(f"{strangers.url}/new/carnavalesco")
    for seat, name in enumerate(("Ana", "Bia")):
        ana.run(
            "const e = document.querySelectorAll('#schools [data-name]')[arguments[0]];"
            "e.value = arguments[1]; e.dispatchEvent(new Event('input', {bubbles: true}));",
            seat,
            name,
        )
    ana.tap("#start")
    ana.waits_for("draws 12 dice")
    for seat, phone in enumerate(phones):
        phone.open(f"{strangers.url}/join?code={CODE}")
        phone.open(strangers.url)
        phone.tap(f"[data-sit='{seat}']")
    ana.waits_for("Your turn: draw 12 dice", "#prompt")
    photograph_until_all_are_seen(ana)
    bia.waits_for("Is this the roll?", "#prompt")
    assert len(bia.all("svg.photo .ring")) == 12
    look_at_the_doubtful(ana)
    ana.tap("#confirm")
    for turn, (name, places) in enumerate(PICKS):
        mine, other = (ana, bia) if name == "Ana" else (bia, ana)
        mine.waits_for("Your turn: take two dice", "#prompt")
        other.waits_for(f"{name} takes two dice", "#prompt")
        for die, element in places:
            mine.tap(f"[data-die='{die}']")
            mine.tap(f"[data-element='{element}']")
        mine.tap("#take")
        if turn < len(PICKS) - 1:
            until(lambda other=other, turn=turn: len(other.all(".chip.gone")) == 2 * (turn + 1))
    bia.waits_for("Your turn: draw 12 dice", "#prompt")
    ana.waits_for("Bia draws 12 dice", "#prompt")
    for phone in phones:
        assert not [line for line in phone.complaints() if "favicon" not in line]
