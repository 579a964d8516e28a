"""Which addresses are valid, and how messages show them."""

from __future__ import annotations

import ipaddress
import re
import socket
from urllib.parse import urlsplit

EXAMPLE = "http://localhost:8080/answer"
_USER = re.compile(r"//[^/?#]*@")


def address_problem(url: str) -> str | None:
    """Why `url` is invalid, in words that repeat nothing of it; None for a valid address."""
    if any(character.isspace() or not character.isprintable() for character in url):
        return "it holds a blank, or a character that does not print"
    try:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"}:
            return "it does not begin with http:// or https://"
        if not parts.hostname:
            return "it names no host"
    except ValueError:
        return "its host cannot be read"
    try:
        usable = parts.port != 0
    except ValueError:
        usable = False
    return None if usable else "its port is no number from 1 to 65535"


def printable_address(url: str) -> str:
    """An address without user, password and query, which may be secret."""
    return _USER.sub("//***@", url.split("?", 1)[0], count=1)


# Where clouds hand out the credentials of a machine, beside the link-local addresses: Alibaba, Azure, AWS by IPv6.
_METADATA = frozenset(
    {
        "metadata", "metadata.google.internal", "metadata.goog", "metadata.azure.internal", "instance-data",
        "instance-data.ec2.internal", "100.100.100.200", "168.63.129.16", "fd00:ec2::254",
    }
)  # fmt: skip


def is_of_the_machine(url: str) -> bool:
    """Whether a URL that can be asked points at a link-local address or a cloud's metadata, in whatever notation."""
    host = (urlsplit(url).hostname or "").rstrip(".").partition("%")[0]
    if host in _METADATA:
        return True
    try:
        # "http://2852039166" and "http://0xa9.254.43518" are addresses for the system, and names for `ipaddress`.
        address = ipaddress.ip_address(host if ":" in host else socket.inet_ntoa(socket.inet_aton(host)))
    except (OSError, ValueError):
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    address = mapped or address
    return address.is_link_local or str(address) in _METADATA


def is_loopback(host: str) -> bool:
    """Whether a host is this machine itself."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
