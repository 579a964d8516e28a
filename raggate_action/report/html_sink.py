"""From spans to HTML, with nothing foreign alive in it; how they are laid out stands in the template of the page."""

from __future__ import annotations

import html
import re
from collections.abc import Container
from typing import TYPE_CHECKING, assert_never
from urllib.parse import quote

from raggate_action.report.page import Code, Command, Foreign, Link, Number, Strong, Text, WithCode
from raggate_action.strings.template_files import template_directory
from raggate_action.strings.visible_text import INVISIBLE

if TYPE_CHECKING:
    from jinja2 import Template

# Controls but tabs and line breaks, lone surrogates, separators of lines, marks between lines; the rest is `INVISIBLE`.
_CONTROLS = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufff9-\ufffb]"
_UNSEEN = re.compile(f"{_CONTROLS}|{INVISIBLE.pattern}")
_ADDRESS = re.compile(r"https?://[A-Za-z0-9._:/%#=-]+")
# Joiners and variation selectors between pictures belong to them.
_OF_PICTURES = frozenset("\u200d\ufe0e\ufe0f")
_FIRST_PICTURE = "\u2190"

# What stands for itself in a comment; a page has its own colours, and not every machine has these pictures.
_AS_TEXT = {
    "✅": '<span class="up" aria-hidden="true">✓</span>',
    "❌": '<span class="down" aria-hidden="true">✕</span>',
    "⚠️": '<span class="warns" aria-hidden="true">!</span>',
}
_OWN_SIGN = re.compile("|".join(_AS_TEXT))


def with_signs(text: str) -> str:
    """Foreign text, escaped; every character that cannot be seen is shown as its code point."""
    escaped = html.escape(text)
    return escaped if escaped.isascii() and escaped.isprintable() else _UNSEEN.sub(_sign, escaped)


def _sign(found: re.Match[str]) -> str:
    letter, place = found[0], found.start()
    if letter in _OF_PICTURES and place and found.string[place - 1] >= _FIRST_PICTURE:
        return letter
    return f'<span class="sign">U+{ord(letter):04X}</span>'


def html_text(text: Text, cases: Container[str] = ()) -> str:
    """The text as HTML on one line.

    Args:
        text: What is to be read.
        cases: Ids of the cases that the page shows: where one is named, it leads there.
    """
    match text:
        case str():
            return _OWN_SIGN.sub(lambda found: _AS_TEXT[found[0]], html.escape(text))
        case tuple():
            return "".join([html_text(part, cases) for part in text])
        case Foreign():
            return f"<bdi>{with_signs(text.text) or html.escape(text.if_blank)}</bdi>"
        case Code():
            code = f"<code>{with_signs(text.text)}</code>"
            return f'<a href="#{case_fragment(text.text)}">{code}</a>' if text.text in cases else code
        case Command():
            return f'<code class="command">{with_signs(text.text)}</code>'
        case WithCode():
            pieces = text.text.split("`")
            return "".join([f"<code>{with_signs(p)}</code>" if n % 2 else with_signs(p) for n, p in enumerate(pieces)])
        case Number():
            return str(text.value)
        case Strong():
            return f"<strong>{html_text(text.text, cases)}</strong>"
        case Link():
            return _link(text, cases)
        case _:
            assert_never(text)


def _link(link: Link, cases: Container[str]) -> str:
    if len(link.words) == 1 and isinstance(link.words[0], Code) and link.words[0].text in cases:
        return html_text(link.words[0], cases)
    words = html_text(link.words)
    if not _ADDRESS.fullmatch(link.address):
        return words
    return f'<a href="{html.escape(link.address)}" rel="noopener noreferrer nofollow">{words}</a>'


def case_fragment(case_id: str) -> str:
    """The fragment that opens a case, as the page's script writes it."""
    return "case=" + quote(case_id, safe="-_.!~*'()", errors="replace").replace("'", "%27")


def page_template() -> Template:
    """The template of the page; what stands in it is escaped by its spans, and anything else by the template."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from jinja2.filters import do_mark_safe

    environment = Environment(
        loader=FileSystemLoader(template_directory() / "report"), undefined=StrictUndefined, autoescape=True
    )

    def safe_text(text: Text, cases: Container[str] = ()) -> str:
        return do_mark_safe(html_text(text, cases))  # escaped by its spans

    def own(text: str) -> str:
        return do_mark_safe(with_signs(text))  # escaped there

    environment.filters |= {"text": safe_text, "own": own, "fragment": case_fragment}
    environment.tests["said"] = any
    return environment.get_template("page.html.j2")
