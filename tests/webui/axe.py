"""axe-core, the checker of accessibility, run on the page that a phone shows."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.webui.phone import Phone

SCRIPT = Path(__file__).parents[1] / "node_modules" / "axe-core" / "axe.min.js"

RUN = """
const [rules, done] = arguments;
const options = { resultTypes: ["violations"], preload: false, iframes: false };
if (rules) options.runOnly = { type: "rule", values: rules };
const told = ({ id, help, nodes: [{ target, any, html }, ...more] }) =>
  `${id} (${help}): ${target.join(" ")} ${any[0]?.message || ""} ${html.slice(0, 160)} and ${more.length} more`;
axe.run(document, options).then(({ violations }) => done(violations.map(told)), (error) => done([String(error)]));
"""


@cache
def _script() -> str:
    if not SCRIPT.is_file():
        pytest.skip("needs axe-core: install npm, then ./check fetches it (or: npm ci --prefix tests)")
    return SCRIPT.read_text(encoding="utf-8")


def violations(phone: Phone, *rules: str) -> list[Any]:
    """Return what axe-core finds wrong on the page, by all of its rules or by those named."""
    if not phone.run("return Boolean(window.axe)"):
        phone.run(_script())
    return list(phone.told(RUN, list(rules) or None))
