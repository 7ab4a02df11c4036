"""What every room's tests share: in CI nothing is skipped that CI can install, the longest files come first, and no
example that Hypothesis makes is held to a clock, which a busy machine outruns."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

LONG = ("tests/webui/", "tests/e2e/", "tests/endurance/")
"""Where the tests lie that open browsers and start whole tables."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files, so that no process is still busy with one when the others have nothing left."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Turn a skip into a failure where CI=true: .ci/run installs all that a test can miss on such a machine.

    A test of hardware that no machine of ours has carries the mark `hardware` and may be skipped anywhere.
    """
    outcome = yield
    report = outcome.get_result()
    if os.environ.get("CI") == "true" and report.skipped and not item.get_closest_marker("hardware"):
        report.outcome = "failed"
        report.longrepr = f"Skipped in CI, where nothing may be: {report.longrepr}"
