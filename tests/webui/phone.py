"""A phone for tests: real Chromium in a phone's size, tapped and read."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests.waiting import until

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
WIDTH, HEIGHT = 390, 844


class Phone:
    """One phone. `tap` and `text` take CSS selectors and wait until there is something to tap or read."""

    def __init__(self) -> None:
        chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
        if chromium is None or driver is None:
            pytest.skip("needs Debian's chromium and chromium-driver (/usr/bin/chromium, /usr/bin/chromedriver)")
        self._profile = tempfile.mkdtemp(prefix="phone-")
        options = Options()
        options.binary_location = chromium
        for flag in (*FLAGS, f"--user-data-dir={self._profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.browser: Any = webdriver.Chrome(options=options, service=Service(driver))
        self.size(WIDTH, HEIGHT)

    def tool(self, command: str, **parameters: Any) -> None:
        """Send a command of the browser's own tools."""
        self.browser.execute_cdp_cmd(command, parameters)

    def size(self, width: int, height: int, *, mobile: bool = True) -> None:
        """Be `width` x `height` CSS pixels large: a phone with two pixels to one, else a screen."""
        scale = 2 if mobile else 1
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": mobile}
        self.tool("Emulation.setDeviceMetricsOverride", **metrics)

    def likes(self, **features: str) -> None:
        """Let the person like what media features say: `likes(color_scheme="dark", reduced_motion="reduce")`."""
        named = [{"name": f"prefers-{key.replace('_', '-')}", "value": value} for key, value in features.items()]
        self.tool("Emulation.setEmulatedMedia", features=named)

    def open(self, url: str) -> None:
        self.browser.get(url)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.browser.execute_script(script, *arguments)

    def told(self, script: str, *arguments: Any) -> Any:
        """Return what `script` hands to its last argument, a function that it calls when it is done."""
        return self.browser.execute_async_script(script, *arguments)

    def all(self, selector: str) -> list[WebElement]:
        return list(self.browser.find_elements(By.CSS_SELECTOR, selector))

    def tap(self, selector: str) -> None:
        """Tap the first element that matches, once it is there and can be tapped."""

        def tapped() -> bool:
            # One script, so that the page cannot draw itself anew between finding and tapping.
            return bool(
                self.run(
                    "const e = document.querySelector(arguments[0]);"
                    "if (!e || e.disabled || !e.offsetParent) return false;"
                    "e.scrollIntoView({block: 'center', behavior: 'instant'}); e.click(); return true;",
                    selector,
                )
            )

        until(tapped, f"{selector} that can be tapped")

    def sees(self, words: str, where: str = "body") -> bool:
        return words in str(self.run("return document.querySelector(arguments[0])?.innerText || ''", where))

    def waits_for(self, words: str, where: str = "body") -> None:
        try:
            until(lambda: self.sees(words, where))
        except AssertionError:
            shown = self.run("return document.querySelector(arguments[0])?.innerText", where)
            raise AssertionError(f"{words!r} never came; the page shows {shown!r}") from None

    def complaints(self) -> list[str]:
        """Return what the browser's console has complained of since the last time."""
        return [line["message"] for line in self.browser.get_log("browser") if line["level"] == "SEVERE"]

    def close(self) -> None:
        self.browser.quit()
        shutil.rmtree(Path(self._profile), ignore_errors=True)
