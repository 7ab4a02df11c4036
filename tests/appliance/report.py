"""What a scenario proves and measures: told as it happens, kept as JSON."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any


class Report:
    """The lines of one scenario. `wrong` are those that did not hold."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.path = folder / f"{name}.json"
        self.lines: list[dict[str, Any]] = []
        self.figures: dict[str, Any] = {}
        self._began = time.monotonic()

    @property
    def wrong(self) -> list[str]:
        return [line["what"] for line in self.lines if not line["holds"]]

    def say(self, words: str) -> None:
        """Tell how far it is."""
        print(f"  {time.monotonic() - self._began:6.0f} s  {words}", flush=True)

    def holds(self, what: str, holds: object, seen: object = None) -> bool:
        """Note whether something is as it should be, with what was seen; return it."""
        line = {"what": what, "holds": bool(holds), **({} if seen is None else {"seen": seen})}
        self.lines.append(line)
        self.say(f"{'holds' if holds else 'WRONG'}: {what}{'' if seen is None else f'  [{seen}]'}")
        self.keep()
        return bool(holds)

    def figure(self, name: str, value: Any) -> None:
        """Note something measured."""
        self.figures[name] = value
        self.say(f"{name}: {value}")
        self.keep()

    def keep(self) -> None:
        text = {"scenario": self.name, "seconds": round(time.monotonic() - self._began, 1), "wrong": self.wrong}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        whole = {**text, "figures": self.figures, "lines": self.lines}
        self.path.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
