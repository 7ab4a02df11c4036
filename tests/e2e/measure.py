"""Measures the running demo: start to first page, a page in a browser, press to proposal, memory, sizes.

    .venv/bin/python -m tests.e2e.measure

A measuring script, not a test: its figures go into the README. Times are medians, with the slowest beside them.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.e2e.conftest import Product
from tests.waiting import until
from tests.webui.phone import Phone

ROUNDS = 20

PAINTED = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
LOADED = "return performance.getEntriesByType('navigation')[0].loadEventEnd"


def first_page(home: Path) -> tuple[float, Product]:
    """Return the seconds from starting the process to its first page, and the running product."""
    began = time.monotonic()
    product = Product(home)
    product.get("/healthz")
    return time.monotonic() - began, product


def page_in_a_browser(product: Product) -> tuple[list[float], list[float]]:
    """Return the seconds from asking for the table's page, nothing of it cached, to its being painted in a browser,
    and to its scripts being there."""
    phone = Phone()
    phone.tool("Network.enable")
    phone.tool("Network.setCacheDisabled", cacheDisabled=True)
    painted, loaded = [], []
    for _ in range(ROUNDS):
        phone.open(product.url)
        until(lambda: phone.run(PAINTED) and phone.run(LOADED))
        painted.append(float(phone.run(PAINTED)) / 1000)
        loaded.append(float(phone.run(LOADED)) / 1000)
    phone.close()
    return painted, loaded


def press_to_proposal(product: Product) -> list[float]:
    """Return the seconds from a press to the proposal in the state phones get, drawing the demo dice included."""
    took = []
    for _ in range(ROUNDS):
        before = (product.state["proposal"] or {}).get("id")
        began = time.monotonic()
        product.post("/api/capture", {})
        while (seen := product.state["proposal"]) is None or seen["id"] == before or seen["state"] == "capturing":
            time.sleep(0.005)
        took.append(time.monotonic() - began)
        time.sleep(0.35)  # a press within 0.3 s is the same press
    return took


def resident_megabytes(product: Product) -> float:
    status = Path(f"/proc/{product.process.pid}/status").read_text(encoding="ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def installed_megabytes(root: Path) -> tuple[float, float]:
    """Return the size of Jurado's own wheel, and of everything that `run` installs, in megabytes."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    with tempfile.TemporaryDirectory() as folder:
        wheel = [*pip, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, str(root)]
        subprocess.run(wheel, check=True)
        own = sum(file.stat().st_size for file in Path(folder).glob("*.whl"))
        target = Path(folder) / "all"
        lock = str(root / "requirements" / "table.txt")
        subprocess.run(
            [*pip, "install", "--quiet", "--target", str(target), "--require-hashes", "-r", lock], check=True
        )
        everything = sum(file.stat().st_size for file in target.rglob("*") if file.is_file())
    return own / 1e6, everything / 1e6


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        seconds, product = first_page(Path(folder) / "home")
        try:
            print(f"start to first page       {seconds:6.2f} s")
            players = [{"name": name, "table": "practice"} for name in ("Ana", "Bia")]
            product.act("/api/games", game="carnavalesco", setup={"players": players})
            for what, times in zip(("painted", "with its scripts"), page_in_a_browser(product), strict=True):
                print(f"the page {what:16} {statistics.median(times):6.2f} s (slowest {max(times):.2f} s)")
            product.read_roll()
            took = press_to_proposal(product)
            print(f"press to proposal, 12 d6  {statistics.median(took):6.2f} s (slowest {max(took):.2f} s)")
            milliseconds = product.state["proposal"]["milliseconds"]
            print("  of the last one, in ms ", ", ".join(f"{name} {took:.0f}" for name, took in milliseconds.items()))
            print(f"memory of the table       {resident_megabytes(product):6.0f} MB")
        finally:
            product.stop()
    own, everything = installed_megabytes(Path(__file__).resolve().parents[2])
    print(f"Jurado's own wheel        {own:6.1f} MB")
    print(f"installed with libraries  {everything:6.0f} MB")


if __name__ == "__main__":
    main()
