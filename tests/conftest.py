"""What every room's tests share: in CI nothing is skipped that CI can install."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


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
