"""The body of an HTTP reply, unpacked by us as it comes in: a small body never becomes a large one in memory."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zlib import _Decompress as Gzip

# The packing that apps are asked to send: the only one that is unpacked here.
ACCEPTED = "gzip"
_PLAIN = frozenset({"", "identity"})
_GZIP = frozenset({"gzip", "x-gzip"})
_GZIP_ONLY = 16 + zlib.MAX_WBITS
_ENCODING_LENGTH = 60


class UnreadableBodyError(Exception):
    """A body that cannot be unpacked; the message is one line for people, to stand behind "reply is"."""


class Unpacking:
    """A body, unpacked part by part.

    Attributes:
        body: What there is so far: at most one byte more than the limit, which says that the whole is larger.
    """

    def __init__(self, content_encoding: str, limit: int) -> None:
        """Prepare to unpack.

        Args:
            content_encoding: The reply's header; empty when there is none.
            limit: The largest body of use, in bytes.

        Raises:
            UnreadableBodyError: It is packed in another way than gzip, or more than once.
        """
        steps = [step for part in content_encoding.split(",") if (step := part.strip().lower()) not in _PLAIN]
        if steps and (len(steps) > 1 or steps[0] not in _GZIP):
            encoding = content_encoding[:_ENCODING_LENGTH]
            raise UnreadableBodyError(f"packed as {encoding!r}; send it plain, or packed once with gzip")
        self.body = bytearray()
        self._limit = limit
        self._received = 0
        self._member = zlib.decompressobj(_GZIP_ONLY) if steps else None

    def add(self, part: bytes) -> bool:
        """Unpack what came in; returns whether more can be taken.

        Raises:
            UnreadableBodyError: It is no gzip.
        """
        self._received += len(part)
        if self._member is None:
            self.body += part[: self._room]
        else:
            self._member = self._unpacked(part, self._member)
        # Endless packed bytes that unpack to nothing are a flood as well.
        return self._room > 0 and self._received <= 2 * self._limit

    def whole(self) -> bytes:
        """The body, once nothing further comes.

        Raises:
            UnreadableBodyError: Its end is missing.
        """
        if self._member is not None and self._received and self._room > 0 and not self._member.eof:
            raise UnreadableBodyError("cut short: its gzip has no end")
        return bytes(self.body)

    @property
    def is_too_large(self) -> bool:
        """Whether the body is larger than the limit."""
        return self._room <= 0 or self._received > 2 * self._limit

    @property
    def _room(self) -> int:
        return self._limit + 1 - len(self.body)

    def _unpacked(self, part: bytes, member: Gzip) -> Gzip:
        """Unpack a part with the gzip that has begun; returns the one that is under way then."""
        try:
            while part and self._room > 0:
                if member.eof:
                    # A gzip may be several, one behind the other, and zeros may fill it up.
                    part = part.lstrip(b"\0")
                    if not part:
                        break
                    member = zlib.decompressobj(_GZIP_ONLY)
                self.body += member.decompress(part, self._room)
                part = member.unused_data if member.eof else member.unconsumed_tail
        except zlib.error as error:
            raise UnreadableBodyError(f"not the gzip that its header says: {error}") from None
        return member


async def read_body(parts: AsyncIterator[bytes], content_encoding: str, limit: int) -> Unpacking:
    """Unpack a body to its end, or until it is larger than `limit` bytes; little more than that is ever held.

    Args:
        parts: The body as it comes over the wire.
        content_encoding: The reply's header; empty when there is none.
        limit: The largest body of use, in bytes.

    Raises:
        UnreadableBodyError: It cannot be unpacked.
    """
    unpacking = Unpacking(content_encoding, limit)
    async for part in parts:
        if not unpacking.add(part):
            break
    return unpacking
