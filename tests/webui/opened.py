"""Every page that the app has, as it can be opened at a table: found in the app's own routes."""

from __future__ import annotations

from itertools import product
from typing import Any

from tests.webui.stage import Stage
from webui.first_run import TITLES

NO_PAGES = ("/api/", "/static/", "/photos/", "/healthz")
"""Where programs, scripts and pictures are asked for."""


def values(stage: Stage) -> dict[str, list[str]]:
    """Return what may stand in the addresses of pages, by the name of the place."""
    return {
        "key": [stage.table.game.key],
        "game_id": [str(stage.table.games()[0]["id"])],
        "name": list(TITLES),
    }


def addresses(stage: Stage) -> list[str]:
    """Return the address of every page of the app, at a table that has a game; an address that leads on to another is
    none. Fails for a route it cannot fill."""
    known, client, found = values(stage), stage.app.test_client(), []
    for rule in stage.app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.rule.startswith(NO_PAGES):
            continue
        if "." in rule.rule.rsplit("/", 1)[1]:  # a file
            continue
        lacking = rule.arguments - known.keys()
        assert not lacking, f"tests/webui/opened.py does not know what {sorted(lacking)} of {rule.rule} may be"
        names = sorted(rule.arguments)
        for chosen in product(*(known[name] for name in names)):
            path = stage.app.url_map.bind("").build(rule.endpoint, dict(zip(names, chosen, strict=True)))
            answer = client.get(path)
            assert answer.status_code in (200, 302), f"{path} answers {answer.status_code}"
            if answer.status_code == 200 and answer.mimetype == "text/html":
                found.append(path)
    return found


WEIGHT = """
const [main, ...rest] = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
return [main, ...rest].map(({ name, transferSize }) => [name, transferSize]);
"""


def fetched(phone: Any) -> dict[str, int]:
    """Return what the page has fetched so far: bytes on the way, by address. The live stream, which never ends, is
    not among them."""
    return {name: int(size) for name, size in phone.run(WEIGHT)}
