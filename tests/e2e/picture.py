"""Makes the README's picture: the running demo on a phone, as it reads a roll and as it is played.

.venv/bin/python -m tests.e2e.picture docs/pictures/phone.jpg
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np

from tests.e2e.conftest import Product
from tests.waiting import until
from tests.webui.phone import Phone

GAP = 24
COLOURS = ("red", "yellow", "green", "blue", "white", "black")
ELEMENTS = ("vanguard", "harmony", "floats", "progression", "drums", "costumes", "theme_song")


def shot(phone: Phone, folder: Path) -> np.ndarray:
    path = folder / "shot.png"
    phone.browser.save_screenshot(str(path))
    image = cv2.imread(str(path))
    assert image is not None
    return image


def look(phone: Phone, selector: str) -> None:
    """Bring something to the middle of the screen."""
    phone.run("document.querySelector(arguments[0])?.scrollIntoView({block: 'center', behavior: 'instant'})", selector)


def play_a_while(product: Product, turns: int) -> None:
    """Let both schools take dice that are worth something, as far as a picture needs it."""
    for _ in range(turns):
        view = product.state["game"]["view"]
        if view["phase"] == "roll":
            dice = [{"colour": COLOURS[at % 6], "value": (at * 5 + view["round"]) % 6 + 1} for at in range(12)]
            product.act("/api/moves", move={"move": "roll", "dice": dice})
            continue
        free = [at for at, die in enumerate(view["roll"]) if die["taken_by"] is None][:2]
        seat = view["turn"]
        spaces = [name for name in ELEMENTS for _ in range(4 - len(view["players"][seat]["elements"][name]))]
        taken = [{"die": die, "element": element} for die, element in zip(free, spaces, strict=False)]
        product.act("/api/moves", move={"move": "take", "seat": seat, "places": taken})


def main() -> None:
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        product, phone = Product(folder / "home"), Phone()
        try:
            players = [{"name": school, "table": "practice"} for school in ("Unidos da Mesa", "Águia de Papel")]
            product.act("/api/games", game="carnavalesco", setup={"players": players})
            play_a_while(product, 20)
            phone.open(product.url)
            phone.tap("#capture")
            until(lambda: phone.all("svg.photo .ring"))
            # The picture shows how a doubtful die is asked about: such a roll is waited for.
            while not phone.all("#editor"):
                before = product.state["proposal"]["id"]
                phone.tap("[data-key='again']")
                until(lambda: product.state["proposal"]["id"] != before and phone.all("svg.photo .ring"))  # noqa: B023
            reading = shot(phone, folder)
            look(phone, "svg.photo")
            photograph = shot(phone, folder)
            phone.tap("#void")
            phone.tap("[data-void='null']")
            play_a_while(product, 2)
            phone.waits_for("takes two dice")
            board = shot(phone, folder)
        finally:
            phone.close()
            product.stop()
    strip = np.full((reading.shape[0], GAP, 3), 255, np.uint8)
    whole = np.hstack([reading, strip, photograph, strip, board])
    cv2.imwrite(str(target), cv2.resize(whole, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA))


if __name__ == "__main__":
    main()
