"""Tries one thing, or camera, pins and network (`all`), and prints what came of it as JSON: "done", or why not."""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable

libc = ctypes.CDLL(None, use_errno=True)


def called(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def camera() -> None:
    from device.camera.picamera import PiCamera

    one = PiCamera(size=(640, 480))
    one.open()
    assert one.capture(time.monotonic(), timeout=60).image.shape == (480, 640, 3)
    one.close()


def pins() -> None:
    from gpiozero import DigitalInputDevice, DigitalOutputDevice
    from gpiozero.pins.lgpio import LGPIOFactory

    factory = LGPIOFactory()
    button, lamp = DigitalInputDevice(5, pull_up=True, pin_factory=factory), DigitalOutputDevice(6, pin_factory=factory)
    lamp.on()
    assert lamp.value
    assert not button.value
    for device in (button, lamp):
        device.close()


def network() -> None:
    with socket.create_server(("0.0.0.0", 0)) as server, socket.create_connection(server.getsockname()) as phone:
        server.accept()[0].sendall(b"x")
        assert phone.recv(1) == b"x"
    with socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, 15) as events:
        events.bind((0, 0))


def setuid_program() -> None:
    # A copy of id that belongs to root and is setuid, asked by nobody.
    done = subprocess.run(["/usr/local/bin/probe-id", "-u"], user=65534, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0", f"it stayed {done.stdout.strip()}"


def written(path: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write("x")
    os.unlink(path)


def module() -> None:
    done = subprocess.run(["/sbin/modprobe", "dummy"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr.strip()


def give_away() -> None:
    path = "/run/probe/file"
    open(path, "w", encoding="ascii").close()
    os.chown(path, 12345, 12345)


def personality() -> None:
    called(libc.personality(0x0008))


def own_setuid() -> None:
    open("/run/probe/suid", "w", encoding="ascii").close()
    os.chmod("/run/probe/suid", 0o4755)


def namespace() -> None:
    called(libc.unshare(0x04000000))


def realtime() -> None:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def call_of_32_bits() -> None:
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(bytes.fromhex("53 b814000000 cd80 5b c3"))  # push rbx; mov eax, getpid; int 0x80; pop rbx; ret
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    assert ctypes.CFUNCTYPE(ctypes.c_int)(address)() == os.getpid()


def packets() -> None:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)).close()


def open_to_all() -> None:
    open("/run/probe/open", "w", encoding="ascii").close()
    assert os.stat("/run/probe/open").st_mode & 0o004, "others may not read it"


def memory() -> None:
    held = [b"x" * 10_000_000 for _ in range(60)]
    assert held


def threads() -> None:
    over = threading.Event()
    many = [threading.Thread(target=over.wait, daemon=True) for _ in range(60)]
    try:
        for thread in many:
            thread.start()
    finally:
        over.set()


def tunable() -> None:
    path = "/proc/sys/kernel/panic"
    with open(path, encoding="ascii") as file:
        value = file.read()
    with open(path, "w", encoding="ascii") as file:
        file.write(value)


def control_group() -> None:
    os.mkdir("/sys/fs/cgroup/probe")
    os.rmdir("/sys/fs/cgroup/probe")


def kernel_log() -> None:
    called(libc.klogctl(3, ctypes.create_string_buffer(64), 64))


def rename() -> None:
    socket.sethostname(socket.gethostname())


def both_systems() -> None:
    refused = []
    for path in ("/usr/probe", "/etc/probe"):
        try:
            written(path)
        except OSError as error:
            refused.append(error)
    if refused:
        raise refused[0]


ACTS: dict[str, Callable[[], object]] = {
    "camera": camera,
    "pins": pins,
    "network": network,
    "NoNewPrivileges": setuid_program,
    "ProtectSystem": both_systems,
    "ProtectHome": lambda: os.listdir("/root") or 1 / 0,
    "PrivateTmp": lambda: os.stat("/tmp/of-others"),
    "ProtectKernelTunables": tunable,
    "ProtectKernelModules": module,
    "ProtectControlGroups": control_group,
    "ProtectKernelLogs": kernel_log,
    "ProtectHostname": rename,
    "CapabilityBoundingSet": give_away,
    "LockPersonality": personality,
    "RestrictSUIDSGID": own_setuid,
    "RestrictNamespaces": namespace,
    "RestrictRealtime": realtime,
    "SystemCallArchitectures": call_of_32_bits,
    "RestrictAddressFamilies": packets,
    "UMask": open_to_all,
    "MemoryMax": memory,
    "TasksMax": threads,
    "stick": lambda: written("/media/jurado/probe"),
}


def outcome(act: Callable[[], object]) -> str:
    try:
        act()
    except BaseException as error:
        return f"{type(error).__name__}: {error}"[:200]
    return "done"


asked = ("camera", "pins", "network") if sys.argv[1] == "all" else (sys.argv[1],)
print(json.dumps({name: outcome(ACTS[name]) for name in asked}), flush=True)
os._exit(0)
