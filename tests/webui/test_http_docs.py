"""docs/http.md and the app name the same routes."""

from __future__ import annotations

import re
from pathlib import Path

from tests.webui.stage import Stage

DOCS = Path(__file__).parents[2] / "docs" / "http.md"
ROUTE = re.compile(r"^\| `(GET|POST) (/\S*)` \|", re.MULTILINE)


def routes_of(stage: Stage) -> set[tuple[str, str]]:
    return {
        (method, rule.rule)
        for rule in stage.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


def test_every_route_is_documented_and_every_documented_route_is_there(stage: Stage) -> None:
    documented = set(ROUTE.findall(DOCS.read_text(encoding="utf-8")))
    there = routes_of(stage)
    assert there - documented == set(), "missing in docs/http.md"
    assert documented - there == set(), "documented, but not there"
