"""`localhost` from inside a container: what is found, what is said. Real sockets; the gateway is another loopback address."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

from raggate_action.action.app_reachability import from_container, gateway_of
from raggate_action.errors import TargetError
from raggate_action.schema.target import HttpTarget, Ready

# Loopback is a whole network: another address of it stands for the bridge's gateway.
GATEWAY = "127.0.0.9"


@pytest.fixture
def on_gateway() -> Iterator[int]:
    """A port where something listens at the gateway and nothing at localhost."""
    with closing(socket.create_server((GATEWAY, 0))) as server:
        yield server.getsockname()[1]


def target(url: str, **changes: object) -> HttpTarget:
    return HttpTarget.model_validate({"kind": "http", "url": url, **changes})


def test_an_app_on_the_runners_host_is_asked_there_and_it_is_said(on_gateway: int) -> None:
    found = from_container(target(f"http://user:pw@localhost:{on_gateway}/answer?q=1"), gateway=GATEWAY)
    assert found.target.url == f"http://user:pw@{GATEWAY}:{on_gateway}/answer?q=1"
    assert GATEWAY in found.note
    assert "pw" not in found.note


def test_its_readiness_is_asked_there_too(on_gateway: int) -> None:
    ready = Ready(url=f"http://127.0.0.1:{on_gateway}/health", timeout_s=5)
    found = from_container(target(f"http://localhost:{on_gateway}/answer", ready=ready.model_dump()), gateway=GATEWAY)
    assert found.target.ready == Ready(url=f"http://{GATEWAY}:{on_gateway}/health", timeout_s=5)


def test_an_app_in_the_same_network_is_asked_as_written() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        asked = target(f"http://localhost:{server.getsockname()[1]}/answer")
        assert from_container(asked, gateway=GATEWAY) == (asked, "")


def test_an_address_elsewhere_is_left_alone() -> None:
    asked = target("http://rag-app:8080/answer")
    assert from_container(asked, gateway=GATEWAY, answers=lambda *_: pytest.fail("nobody was to be asked")) == (
        asked,
        "",
    )


def test_when_nobody_answers_both_places_and_every_way_out_are_named(on_gateway: int) -> None:
    free = on_gateway - 1 if on_gateway > 2000 else on_gateway + 1
    with pytest.raises(TargetError) as error:
        from_container(
            target(f"http://localhost:{free}/", ready={"url": f"http://localhost:{free}/", "timeout_s": 0.1}),
            gateway=GATEWAY,
            answers=lambda *_: False,
        )
    assert (
        str(error.value)
        == f"nothing answers at localhost:{free} inside the action's container, nor at {GATEWAY}:{free}, the runner's host, for 0.1 s"
    )
    for way in ("listen on 0.0.0", "service container", "raggate-action record", "traces:", "ready: {url"):
        assert way in error.value.hint


def test_an_app_that_comes_up_while_we_wait_is_found() -> None:
    seen: list[str] = []

    def third_time(host: str, _port: int) -> bool:
        seen.append(host)
        return len(seen) == 4

    told: list[str] = []
    found = from_container(target("http://localhost:8080/"), gateway=GATEWAY, answers=third_time, tell=told.append)
    assert told == ["nothing answers at localhost:8080 yet: waiting up to 30 s for the app to start"]
    assert seen == ["localhost", GATEWAY, "localhost", GATEWAY]
    assert found.target.url == f"http://{GATEWAY}:8080/"


@pytest.mark.parametrize(
    ("table", "gateway"),
    [
        pytest.param(
            "Iface\tDestination\tGateway\tFlags\neth0\t00000000\t010011AC\t0003\t0\n",
            "172.17.0.1",
            id="Docker's bridge",
        ),
        pytest.param(
            "Iface\tDestination\tGateway\tFlags\neth0\t000011AC\t00000000\t0001\t0\n", None, id="no default route"
        ),
        pytest.param("Iface\tDestination\tGateway\tFlags\n", None, id="no network"),
        pytest.param("", None, id="no table"),
    ],
)
def test_the_gateway_is_read_from_the_route_table(table: str, gateway: str | None) -> None:
    assert gateway_of(table) == gateway
