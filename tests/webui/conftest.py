"""Fixtures of the pages' tests: a table with its app, a client, a real server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.loading import LoadingReader
from device.teaching import Teaching
from tests.waiting import until
from tests.webui.stage import Served, Stage
from vision.reader import Reader


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


@pytest.fixture(scope="session")
def reader() -> Reader:
    return Reader(threads=1)


@pytest.fixture
def taught(stage: Stage, reader: Reader, tmp_path: Path) -> Stage:
    """A stage whose table can be taught."""
    reader.teach(())
    loading = LoadingReader(lambda: reader)
    loading.start()
    until(lambda: not loading.loading)
    teaching = Teaching(tmp_path / "dice", loading, stage.photos.folder, dict)
    stage.station.teaching = teaching
    services = stage.app.extensions["jurado"]
    stage.app.extensions["jurado"] = replace(services, teaching=teaching)
    return stage
