"""Tables of words that come with the package: YAML, for people to read and correct. Every scalar is text."""

from __future__ import annotations

from pkgutil import get_data
from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def read_table(package: str, name: str) -> Any:
    """The file of that name beside the modules of a package; `no` and `2` in it are text.

    Raises:
        OSError: There is no such file.
    """
    return yaml.load(get_data(package, name) or "", Loader=_LOADER)  # noqa: S506 - our own file, and scalars alone


def read_words(package: str, name: str) -> dict[str, frozenset[str]]:
    """A file of lists of words, each as a set; raises as `read_table`."""
    return {title: frozenset(words.split()) for title, words in read_table(package, name).items()}
