"""A text as its reader sees it: without invisible characters, and without what markup hides.

Whoever looks for words that must not be shown looks here first, and whoever shows text leaves out the same characters.
"""

from __future__ import annotations

import re

# Default_Ignorable_Code_Point of Unicode 17.0, first and last of each range: soft hyphens, joiners, zero-width spaces,
# marks of direction, fillers, variation selectors, tags.
DEFAULT_IGNORABLE = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
# Joins hieroglyphs; it is no such code point, and nothing is drawn for it either.
_HIEROGLYPH_CONTROLS = (0x13430, 0x1343F)
INVISIBLE = re.compile(
    "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in (*DEFAULT_IGNORABLE, _HIEROGLYPH_CONTROLS)) + "]"
)

# A comment that nothing ends hides what follows, as in a browser.
COMMENT = r"<!--[\s\S]*?(?:-->|\Z)"
TAG = r"</?[A-Za-z][^<>]*>"
EMPHASIS = r"\*+|`+|~~+|__+"


def without_invisible(text: str) -> str:
    """The text without characters that nobody sees."""
    return text if text.isascii() else INVISIBLE.sub("", text)


def cut(text: str, most: int) -> str:
    """The first words of a text, in `most` characters, with an ellipsis where something is left out.

    No word is cut in the middle, unless it is longer than all there is room for.
    """
    if len(text) <= most:
        return text
    start = text[: most - 1]
    if not text[most - 1].isspace() and (words := start.rpartition(" ")[0].rstrip()):
        start = words
    start = start.rstrip()
    # Behind a whole sentence an ellipsis stands apart: "concern. …", not "concern.…".
    apart = " " if start.endswith((".", "!", "?")) and len(start) + 2 <= most else ""
    return f"{start}{apart}…"
