"""`python -m tests.endurance NAME [--size N] [--seed S] [--keep FILE] [--home FOLDER] [--short]`."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import tempfile
from pathlib import Path

from tests.endurance.running import Run

RUNS = {
    "kills": (500, "times a loaded table is killed with SIGKILL"),
    "phones": (1800, "seconds that 12 phones act and 50 watch"),
    "inputs": (100_000, "inputs of each parser"),
    "rolls": (5000, "rendered rolls read in a row"),
    "slow_card": (60, "confirms on a card that writes five times a second"),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.endurance", description="Long runs at a real table.")
    parser.add_argument("name", choices=RUNS, help="; ".join(f"{name}: {what}" for name, (_, what) in RUNS.items()))
    parser.add_argument("--size", type=int, help="how many; " + ", ".join(f"{one} {RUNS[one][0]}" for one in RUNS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a file with a line for each step; a run goes on where it ends")
    parser.add_argument("--home", type=Path, help="a folder to work in, which stays; needed with --keep")
    parser.add_argument("--only", help="inputs: this parser alone")
    asked = parser.parse_args()
    module = importlib.import_module(f"tests.endurance.{asked.name}")
    with tempfile.TemporaryDirectory(prefix="endurance-") as folder:
        home = asked.home or Path(folder)
        home.mkdir(parents=True, exist_ok=True)
        run = Run(asked.size or RUNS[asked.name][0], asked.seed, home, asked.keep)
        more = {"only": asked.only} if asked.only else {}
        figures = getattr(module, asked.name)(run, **more)
    print(json.dumps(figures, indent=1, ensure_ascii=False))
    return 1 if figures.get("wrong") else 0


if __name__ == "__main__":
    sys.exit(main())
