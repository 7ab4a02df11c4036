"""From the bare machine to a table that is ready; again, newer, broken, and away."""

from __future__ import annotations

import json
import time

from tests.appliance.bench import INSTALL, SLOW, SOURCE, Bench
from tests.appliance.table import JURADO, STATE, ATable


def install(bench: Bench) -> None:
    """A bare machine becomes a table, with one command; the machine is kept for the other scenarios."""
    report, lab = bench.report, bench.lab
    bench.bare()
    status, said = lab.status_of(f"{INSTALL} --plan")
    report.holds("it says what it will do", status == 0 and STATE in said and "apt" in said, said.strip())
    untouched = lab.run("ls -d /opt/jurado /var/lib/jurado /etc/systemd/system/jurado.service; true")
    report.holds("and saying it does nothing", untouched.strip() == "", untouched.strip())
    began = time.monotonic()
    status, said = lab.status_of(f"{INSTALL} --yes", patience=SLOW)
    report.figure("from the command to a table that is ready, min", round((time.monotonic() - began) / 60, 1))
    report.holds("it installs", status == 0 and "Jurado runs" in said, said.strip()[-900:])
    report.holds("notes of things that are missing", "Note:" not in said, said.count("Note:"))
    table = ATable(lab)
    table.ready()
    health = table.health()
    report.holds("the camera is there through picamera2", table.camera("ready")["name"] == "Pi camera 0")
    report.holds("buttons and lamp are there through lgpio", health["buttons"]["state"] == "on", health["buttons"])
    complaints = [line for line in table.log().splitlines() if "WARNING" in line or "ERROR" in line]
    # That is the emulated machine, which loads picamera2 and the models at once; the camera is ready by now.
    late = [line for line in complaints if "has not started within" in line]
    report.figure("complaints that the camera was late (emulated)", late)
    report.holds("no other complaint in its log", complaints == late, complaints)
    found = json.loads(lab.do("run", JURADO + "doctor --json", check=False).stdout)["findings"]
    problems = [one["about"] + ": " + one["message"] for one in found if one["verdict"] == "problem"]
    report.holds("the doctor finds no problem", problems == [], problems)
    report.figure(
        "the doctor's warnings", [one["about"] + ": " + one["message"] for one in found if one["verdict"] == "warning"]
    )
    size = lab.run("du -sm /opt/jurado | cut -f1").strip()
    report.figure("size of /opt/jurado, MB", int(size))
    bench.save()


def refuses(bench: Bench) -> None:
    """Other systems get one sentence, and nothing is changed."""
    report, lab = bench.report, bench.lab
    bench.installed()
    before = lab.run("find /opt/jurado /etc/systemd /var/lib/jurado -maxdepth 2 | sort | cksum")
    shown = 'printf %s "$1" >/run/other && chmod 755 /run/other && mount --bind /run/other "$2"'
    as_other = f"unshare -m sh -c '{shown} && {SOURCE}/systemd/install.sh --yes' x"

    def refused(what: str, script: str, words: str) -> None:
        status, said = lab.status_of(script)
        lines = said.strip().splitlines()
        report.holds(what, status == 1 and words in said and "Nothing was changed" in said and len(lines) == 1, lines)

    for name, text in {
        "Ubuntu 24.04": 'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\nPRETTY_NAME="Ubuntu 24.04.1 LTS"\n',
        "Raspbian 12": 'ID=raspbian\nID_LIKE=debian\nVERSION_ID="12"\nPRETTY_NAME="Raspbian GNU/Linux 12 (bookworm)"\n',
        "Debian 11": 'ID=debian\nVERSION_ID="11"\nPRETTY_NAME="Debian GNU/Linux 11 (bullseye)"\n',
        "Fedora 42": 'ID=fedora\nVERSION_ID="42"\nPRETTY_NAME="Fedora Linux 42"\n',
    }.items():
        refused(f"{name} is refused", f"{as_other} '{text}' /etc/os-release", "64-bit Raspberry Pi OS")
    says_32 = "#!/bin/sh\necho 32\n"
    refused("a 32-bit system is refused", f"{as_other} '{says_32}' /usr/bin/getconf", "32-bit")
    user = f"setpriv --reuid nobody --clear-groups sh {SOURCE}/systemd/install.sh"
    refused("it needs root", f"chmod 755 /root; cd /; {user}; s=$?; chmod 700 /root; exit $s", "sudo")
    refused("an unknown option", f"{SOURCE}/systemd/install.sh --frobnicate", "Unknown option")
    refused(
        "a folder without wheels",
        f"mkdir -p /run/none; {SOURCE}/systemd/install.sh --yes --wheels /run/none",
        "wheels.py",
    )
    after = lab.run("find /opt/jurado /etc/systemd /var/lib/jurado -maxdepth 2 | sort | cksum")
    report.holds("nothing was changed by any of them", before == after)


def update(bench: Bench) -> None:
    """The same again, a newer one, and three that are broken: each ends in a table that runs, with its games."""
    report, lab = bench.report, bench.lab
    # Without its camera, so that an emulated machine has its time for the installing.
    table = bench.playing(backend="none")
    game = table.state["game"]["id"]
    settings = lab.run(f"cat {STATE}/settings.toml")

    def runs(what: str, version: str) -> None:
        table.caller.drop()
        table.ready()
        same = table.state["game"]["id"] == game and lab.run(f"cat {STATE}/settings.toml") == settings
        there = lab.run("cat /opt/jurado/current/version; ls /opt/jurado/releases").split()
        report.holds(what, same and there[0] == version and len(there) == 2, there)

    def install_now(what: str) -> tuple[int, str]:
        began = time.monotonic()
        status, said = lab.status_of(f"{INSTALL} --yes", patience=SLOW)
        report.figure(f"{what}, s", round(time.monotonic() - began))
        return status, said

    def taken_back(what: str, spoil: str, version: str) -> None:
        bench.carry(version="0.9.9", spoil=spoil)
        status, said = install_now(what)
        report.holds(f"{what} is taken back", status == 1 and "runs again as before" in said, said.strip()[-500:])
        runs(f"game, settings and the old release are there after {what}", version)

    own = lab.run("cat /opt/jurado/current/version").split()[0]
    taken_back("a release that cannot be imported", "import", own)
    bench.carry(version="0.9.1")
    status, said = install_now("an update")
    report.holds("an update in place", status == 0, said.strip()[-300:])
    runs("game, settings and the new release are there after it", "0.9.1")
    report.holds("a copy of the games was made before", "before-update.zip" in lab.run(f"ls {STATE}/backups"))
    first = lab.run(f"stat -c %Y.%s {STATE}/backups/before-update.zip")
    report.holds("pip of the environment still starts", lab.status_of("/opt/jurado/venv/bin/pip --version")[0] == 0)
    taken_back("a release that ends soon after it is ready", "crash", "0.9.1")
    taken_back("a release with a model that is not whole", "model", "0.9.1")
    bench.carry(version="0.9.1")
    status, said = install_now("the same again")
    report.holds("the same again", status == 0, said.strip()[-300:])
    runs("game, settings and one release are there after it", "0.9.1")
    again = lab.run(f"stat -c %Y.%s {STATE}/backups/before-update.zip; ls {STATE}/backups")
    report.holds("each update has a copy of its own", first.strip() not in again and "new" not in again, again)
    lab.run(f"echo 'nothing==1.0 --hash=sha256:{'0' * 64}' >{SOURCE}/requirements/table.txt")
    status, said = install_now("libraries that cannot be had")
    report.holds(
        "libraries that cannot be had leave the old one running", status == 1 and "not touched" in said, said[-300:]
    )
    runs("and the old release is there", "0.9.1")


def uninstall(bench: Bench) -> None:
    """Away again; the games stay, unless they are to go too."""
    report, lab = bench.report, bench.lab
    table = bench.playing()
    files = (
        "/etc/systemd/system/jurado* /etc/avahi/services/jurado.service /usr/lib/systemd/system-shutdown/jurado-lamp"
    )
    rest = f"ls -d /opt/jurado {files} 2>/dev/null; true"
    status, said = lab.status_of(f"{SOURCE}/systemd/install.sh uninstall --plan")
    report.holds("it says what it would remove", status == 0 and "stay" in said, said.strip())
    report.holds("and removes nothing by saying it", table.health()["ok"] is not None)
    status, said = lab.status_of(f"{SOURCE}/systemd/install.sh uninstall --yes")
    report.holds("it is removed", status == 0 and lab.run(rest).strip() == "", lab.run(rest))
    report.holds("the games stay", "journal.sqlite3" in lab.run(f"ls {STATE}"), said.strip())
    check = f"sqlite3 {STATE}/journal.sqlite3 'PRAGMA integrity_check; SELECT count(*) > 0 FROM events'"
    report.holds("and are whole", lab.run(check).split() == ["ok", "1"])
    status, said = lab.status_of(f"{SOURCE}/systemd/install.sh uninstall --with-games --yes")
    left = lab.run(f"{rest}; ls -d {STATE} 2>/dev/null; getent passwd jurado; true").strip()
    report.holds("with --with-games nothing is left", status == 0 and left == "", left)
