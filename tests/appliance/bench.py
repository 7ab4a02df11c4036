"""What a scenario works with: the lab, its machine in a known condition, and its report."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from tests.appliance import release
from tests.appliance.lab import Lab
from tests.appliance.report import Report
from tests.appliance.rolls import Rolls
from tests.appliance.table import ATable

HELPERS = Path(__file__).parent / "guest"
SOURCE, WHEELS, ARCHIVE = "/root/jurado", "/root/wheels", "/opt/archive"
APT = f"deb [trusted=yes] file:{ARCHIVE} ./\\n"
INSTALL = f"{SOURCE}/systemd/install.sh --wheels {WHEELS}"
SLOW = 1800.0
"""Seconds that installing may take in an emulated machine."""


class Bench:
    """One lab and one report."""

    def __init__(self, lab: Lab, report: Report, *, cuts: int, photos: Path | None = None) -> None:
        self.lab = lab
        self.report = report
        self.cuts = cuts
        self.photos = photos
        self.work = report.path.parent

    def bare(self) -> None:
        """Have a machine on which Jurado never was, with everything that is carried to it."""
        self.lab.off()
        self.report.figure("boot of the bare machine, s", round(self.lab.up("--fresh"), 1))
        with tempfile.TemporaryDirectory() as folder:
            carried = Path(folder)
            release.archive(self.lab.cache, carried / "archive")
            self.lab.push(carried / "archive", ARCHIVE)
            self.lab.run(f"mkdir -p /etc/apt/sources.list.d && printf '{APT}' >/etc/apt/sources.list.d/lab.list")
            self.lab.push(self.wheels(), WHEELS)
        self.carry()

    def wheels(self) -> Path:
        kept = self.lab.cache / "jurado-wheels"
        if not kept.exists():
            half = kept.with_suffix(".half")
            shutil.rmtree(half, ignore_errors=True)
            release.wheels(half)
            half.rename(kept)
        return kept

    def carry(self, *, version: str | None = None, spoil: str | None = None) -> None:
        """Put a checkout into the machine, in the place of the one that is there."""
        with tempfile.TemporaryDirectory() as folder:
            release.checkout(Path(folder) / "jurado", version=version, spoil=spoil)
            self.lab.run(f"rm -rf {SOURCE}")
            self.lab.push(Path(folder) / "jurado", SOURCE)

    def installed(self) -> ATable:
        """Have a machine on which Jurado runs, always the same one."""
        if not self.lab.has_saved:
            self.report.say("installing first; the machine is kept for the next scenarios")
            self.bare()
            self.lab.run(f"{INSTALL} --yes", patience=SLOW)
            self.save()
        self.lab.off()
        self.lab.up("--warm")
        self.lab.push(HELPERS, "/opt/helpers")
        table = ATable(self.lab)
        table.ready()
        return table

    def save(self) -> None:
        self.lab.do("save")

    def playing(self, **settings: object) -> ATable:
        """Have the machine with settings of the lab, the phone joined, and a game that waits for a roll."""
        table = self.installed()
        table.settle(**settings)  # type: ignore[arg-type]
        table.join()
        table.open_game()
        return table

    def rolls(self, seed: int = 7) -> Rolls:
        return Rolls(seed)
