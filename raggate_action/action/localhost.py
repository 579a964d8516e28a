"""`localhost` from inside an action's container, where it is the container itself and not the runner.

Where the job has neither `container:` nor `services:`, the container hangs on Docker's bridge and the runner's host is
the bridge's gateway; an app that a `run:` step started answers there if it listens on all addresses.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit, urlunsplit

from raggate_action.errors import TargetError
from raggate_action.schema.target import HttpTarget

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})  # noqa: S104 - compared with, not bound to
_CONNECT_S = 1.0
_POLL_S = 0.2
# An app without a `ready:` section was started before us; it gets a moment.
_GRACE_S = 3.0
_GATEWAY_FLAG = 0x2

Answers = Callable[[str, int], bool]


class FromContainer(NamedTuple):
    """The target as it can be asked from here, and the sentence that says what was done; empty for nothing."""

    target: HttpTarget
    note: str


def gateway_of(route_table: str) -> str | None:
    """The default gateway in the text of `/proc/net/route`; None when there is none.

    Addresses stand there as hexadecimal numbers of the machine's own byte order, which is little-endian wherever
    actions run.
    """
    for line in route_table.splitlines()[1:]:
        fields = line.split()
        if len(fields) > 3 and fields[1] == "00000000" and int(fields[3], 16) & _GATEWAY_FLAG:
            return socket.inet_ntoa(int(fields[2], 16).to_bytes(4, "little"))
    return None


def from_container(target: HttpTarget, *, gateway: str | None, answers: Answers | None = None) -> FromContainer:
    """Find the app of a target on `localhost` from inside the action's container.

    Whichever answers first is taken: the address as written, or the gateway. Waits as long as the suite's `ready:`
    allows, else a moment. A target elsewhere is left alone.

    Args:
        target: The suite's target.
        gateway: The bridge's gateway; None when there is none.
        answers: Whether something listens at a host and port.

    Raises:
        TargetError: Neither answers; the hint lists what to do.
    """
    parts = urlsplit(target.url)
    if parts.hostname not in _LOOPBACK:
        return FromContainer(target, "")
    listens = answers or _listens
    port = parts.port or (443 if parts.scheme == "https" else 80)
    until = time.monotonic() + (target.ready.timeout_s if target.ready is not None else _GRACE_S)
    while True:
        if listens(parts.hostname, port):
            return FromContainer(target, "")
        if gateway is not None and listens(gateway, port):
            return _by_gateway(target, gateway, parts.hostname)
        if time.monotonic() >= until:
            raise _nobody(parts.hostname, port, gateway)
        time.sleep(_POLL_S)


def _by_gateway(target: HttpTarget, gateway: str, host: str) -> FromContainer:
    ready = target.ready and target.ready.model_copy(update={"url": _moved(target.ready.url, gateway)})
    moved = target.model_copy(update={"url": _moved(target.url, gateway), "ready": ready})
    note = (
        f"Inside the action's container {host} is the container itself: the app was asked on the runner's host at "
        f"{gateway} instead."
    )
    return FromContainer(moved, note)


def _moved(url: str, gateway: str) -> str:
    parts = urlsplit(url)
    if parts.hostname not in _LOOPBACK:
        return url
    user = parts.netloc.rpartition("@")[0]
    place = f"{user}@" * bool(user) + gateway + (f":{parts.port}" if parts.port else "")
    return urlunsplit(SplitResult(parts.scheme, place, parts.path, parts.query, parts.fragment))


def _nobody(host: str, port: int, gateway: str | None) -> TargetError:
    tried = f"nothing answers at {host}:{port} inside the action's container"
    also = f", nor at {gateway}:{port}, the runner's host" if gateway is not None else ""
    return TargetError(
        tried + also,
        hint=(
            "An app started by a `run:` step must listen on 0.0.0.0, not 127.0.0.1. A service container is asked by "
            "its name. What always works: record the traces in a `run:` step with "
            "`raggate-action record --out traces.jsonl`, and give the action `traces: traces.jsonl`."
        ),
    )


def _listens(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), timeout=_CONNECT_S):
            return True
    except OSError:
        return False
