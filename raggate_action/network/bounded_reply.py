"""What a server replies, read as it comes in, held to bounds: unpacked bytes, how deep JSON nests, its values.

Every reply of an app, a judge and an artifact store is read through here (`transport`): a small body never becomes a
large one in memory.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from zlib import _Decompress as Gzip

# The packing that servers are asked to send: the only one that is unpacked here.
ACCEPTED: Final = "gzip"
_PLAIN = frozenset({"", "identity"})
_GZIP = frozenset({"gzip", "x-gzip"})
_GZIP_ONLY = 16 + zlib.MAX_WBITS
_ENCODING_LENGTH = 60
# Packed bytes that unpack to little or nothing are a flood as well: so many for each byte that may be unpacked.
_PACKED_FOR_EACH = 2

MOST_NODES: Final = 100_000
MOST_NESTED: Final = 100
TOO_NESTED: Final = f"it nests lists and objects more than {MOST_NESTED} deep; answer with less"
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
# The last quote may be missing: a text that never ends must not be looked for again from each quote in it.
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_NOT_A_BRACKET = bytes(each for each in range(256) if each not in b"[]{}")


class UnreadableBodyError(Exception):
    """A body that is not read; the message is one line for people, to stand behind "reply is"."""


class TooLargeBodyError(UnreadableBodyError):
    """A body larger than its bound; `part` is what still fits of the part that went beyond."""

    def __init__(self, limit: int, part: bytes) -> None:
        super().__init__(f"larger than {limit / 1024 / 1024:g} MiB")
        self.part = part


class BodyReader:
    """Unpacks one body part by part and holds it to its bounds."""

    def __init__(self, content_encoding: str, limit: int) -> None:
        """Nothing has come in yet.

        Args:
            content_encoding: The reply's header; empty when there is none.
            limit: The largest body of use, in bytes, unpacked.

        Raises:
            UnreadableBodyError: It is packed in another way than gzip, or more than once.
        """
        steps = [step for part in content_encoding.split(",") if (step := part.strip().lower()) not in _PLAIN]
        if steps and (len(steps) > 1 or steps[0] not in _GZIP):
            encoding = content_encoding[:_ENCODING_LENGTH]
            raise UnreadableBodyError(f"packed as {encoding!r}; send it plain, or packed once with gzip")
        self._limit = limit
        self._received = self._unpacked = 0
        self._member = zlib.decompressobj(_GZIP_ONLY) if steps else None

    def add(self, part: bytes) -> bytes:
        """What a part that came in unpacks to; never more than the bound and a byte.

        Raises:
            UnreadableBodyError: It is no gzip; `TooLargeBodyError`: it is beyond its bound.
        """
        self._received += len(part)
        if self._member is None:
            found = part
        else:
            found, self._member = self._unpack(part, self._member)
        room = self._limit - self._unpacked
        self._unpacked += len(found)
        if len(found) > room or self._received > _PACKED_FOR_EACH * self._limit:
            raise TooLargeBodyError(self._limit, found[:room])
        return found

    def end(self) -> None:
        """Nothing further comes.

        Raises:
            UnreadableBodyError: The end of the body is missing.
        """
        if self._member is not None and self._received and not self._member.eof:
            raise UnreadableBodyError("cut short: its gzip has no end")

    def _unpack(self, part: bytes, member: Gzip) -> tuple[bytes, Gzip]:
        """Unpack a part with the gzip that has begun; returns the one that is under way then."""
        found = bytearray()
        room = self._limit + 1 - self._unpacked
        try:
            while part and len(found) < room:
                if member.eof:
                    # A gzip may be several, one behind the other, and zeros may fill it up.
                    part = part.lstrip(b"\0")
                    if not part:
                        break
                    member = zlib.decompressobj(_GZIP_ONLY)
                found += member.decompress(part, room - len(found))
                part = member.unused_data if member.eof else member.unconsumed_tail
        except zlib.error as error:
            raise UnreadableBodyError(f"not the gzip that its header says: {error}") from None
        return bytes(found), member


def json_problem(raw: bytes, *, most: int | None = MOST_NODES) -> str | None:
    """What of a text in JSON is beyond the bounds, found without reading it as JSON; None where nothing is.

    Args:
        raw: The text, without a byte order mark.
        most: How many values it may have; None where it is only seen how deep it nests.
    """
    # Nearly every reply has fewer bytes than it may have values, and fewer brackets than it may nest.
    is_long = most is not None and len(raw) > most
    if not is_long and not _may_be_too_nested(raw):
        return None
    if raw.lstrip()[:1] not in {b"{", b"["}:
        return None
    bare = _STRING.sub(b"", raw)
    if is_long and most is not None and _most_nodes(bare) > most:
        return f"it holds more than {most:,} values; answer with less"
    return TOO_NESTED if _is_too_nested(bare) else None


def _may_be_too_nested(raw: bytes) -> bool:
    """Whether more brackets open than may nest. `find` jumps to the next, where `count` looks at each byte."""
    opened = 0
    for bracket in (b"[", b"{"):
        at = raw.find(bracket)
        while at >= 0:
            opened += 1
            if opened > MOST_NESTED:
                return True
            at = raw.find(bracket, at + 1)
    return False


def _most_nodes(bare: bytes) -> int:
    """Not fewer than there are values: one of its own in every list or object, and one behind every comma."""
    return 1 + sum(map(bare.count, (b",", b"[", b"{")))


def _is_too_nested(bare: bytes) -> bool:
    depth = 0
    for bracket in bare.translate(None, _NOT_A_BRACKET) if _may_be_too_nested(bare) else b"":
        depth += 1 if bracket in b"[{" else -1
        if depth > MOST_NESTED:
            return True
    return False
