"""Pages as they look at two sizes, light and dark, kept as build output for people to look at."""

from __future__ import annotations

import base64
import re
from pathlib import Path

from tests.webui.phone import Phone

FOLDER = Path(__file__).parents[2] / "build" / "screens"

SIZES = {"360x740": (360, 740, True), "1280x800": (1280, 800, False)}
"""A small phone, and a laptop or a television: width, height, whether it is a phone."""

THEMES = ("light", "dark")


def become(phone: Phone, size: str) -> None:
    width, height, mobile = SIZES[size]
    phone.size(width, height, mobile=mobile)


def keep(phone: Phone, name: str, size: str, theme: str) -> None:
    """Keep what the phone shows as `build/screens/NAME-SIZE-THEME.jpg`."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    phone.told("const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(() => done()));")
    shot = phone.browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "jpeg", "quality": 80})
    plain = re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-")
    (FOLDER / f"{plain}-{size}-{theme}.jpg").write_bytes(base64.b64decode(shot["data"]))


def keep_all(phone: Phone, name: str, size: str) -> None:
    """Keep what the phone shows in both themes; it stays in the light one."""
    for theme in reversed(THEMES):
        phone.likes(color_scheme=theme, reduced_motion="reduce")
        keep(phone, name, size, theme)
