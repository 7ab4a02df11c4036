"""Wrong tries at a door: after a few an address has to wait, each further time twice as long."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass

REMEMBERED = 1000
"""Addresses remembered at once; the one that has been quiet longest goes first."""


@dataclass(slots=True)
class _Tried:
    wrong: int = 0
    free_at: float = 0.0
    last: float = 0.0


class Tries:
    """Counts wrong tries by address. Not safe for threads: whoever asks holds a lock over asking and counting.

    `free` wrong tries cost nothing, then come `wait_s` seconds, twice as many after each further one, at most
    `longest_s`. An address that was quiet for `longest_s` begins anew. `most` wrong tries of all addresses together
    within `window_s` seconds make everybody wait. `clock` returns seconds.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        free: int,
        wait_s: float,
        longest_s: float,
        most: int,
        window_s: float,
    ) -> None:
        self._clock = clock
        self._free = free
        self._wait_s = wait_s
        self._longest_s = longest_s
        self._window_s = window_s
        self._all: deque[float] = deque(maxlen=most)
        self._each: OrderedDict[str, _Tried] = OrderedDict()

    def wait(self, address: str) -> float:
        """Return the seconds that `address` (an IP) still has to wait, 0 when it may try."""
        now = self._clock()
        crowded = len(self._all) == self._all.maxlen and self._all[0] > now - self._window_s
        tried = self._each.get(house(address), _Tried())
        return max(0.0, tried.free_at - now, self._all[0] + self._window_s - now if crowded else 0.0)

    def wrong(self, address: str) -> None:
        """Count a wrong try of `address`."""
        now, home = self._clock(), house(address)
        self._all.append(now)
        tried = self._each.pop(home, _Tried())
        if now - max(tried.last, tried.free_at) > self._longest_s:
            tried = _Tried()
        tried.wrong, tried.last = tried.wrong + 1, now
        if tried.wrong >= self._free:
            # Beyond 2**20 the longest wait is reached long since, and floats need not grow.
            tried.free_at = now + min(self._longest_s, self._wait_s * 2.0 ** min(tried.wrong - self._free, 20))
        self._each[home] = tried
        while len(self._each) > REMEMBERED:
            self._each.popitem(last=False)

    def right(self, address: str) -> None:
        """Forget the wrong tries of `address`."""
        self._each.pop(house(address), None)


def house(address: str) -> str:
    """Return what counts as one address: of IPv6 the network of 64 bits, in which one device can have any number."""
    try:
        known = ipaddress.ip_address(address.split("%")[0])
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv6Address):
        mapped = known.ipv4_mapped
        return str(ipaddress.ip_network((known, 64), strict=False)) if mapped is None else str(mapped)
    return str(known)
