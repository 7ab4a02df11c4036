"""Fixtures of the pages' tests: a table with its app, a client, a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.webui.stage import Served, Stage


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    one = Stage(tmp_path)
    yield one
    one.close()


@pytest.fixture
def closed_stage(tmp_path: Path) -> Iterator[Stage]:
    """A table that trusts nobody without the code, as phones find it."""
    one = Stage(tmp_path, trust_loopback=False)
    yield one
    one.close()


@pytest.fixture
def phone(stage: Stage) -> FlaskClient:
    return stage.app.test_client()


@pytest.fixture
def served(stage: Stage) -> Iterator[Served]:
    one = Served(stage)
    yield one
    one.close()
