"""A program that prints what an installation finds by looking into its folders, a line each."""

from __future__ import annotations

# The languages in the order they are read; the package's folder; the names of all templates.
FOUND = """
import raggate_action
from pathlib import Path
from raggate_action.core.text.languages.language_rules import KNOWN, rules_of
from raggate_action.strings.template_files import template_directory
assert all(rules_of(language).declines for language in KNOWN)
print(*KNOWN)
print(Path(raggate_action.__file__).parent)
print(*sorted(path.name for path in template_directory().rglob("*.j2")))
"""
