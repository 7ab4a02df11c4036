"""The words of the pages go through one door, so that a translation has one place to go."""

from __future__ import annotations

from typing import Any


def _(sentence: str, **values: Any) -> str:
    """Return a sentence of the pages, its {names} filled in; every template asks here, as every script asks its `t`."""
    return sentence.format(**values) if values else sentence
