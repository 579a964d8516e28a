"""NOTICE, made from requirements.lock: the licences of every library in the action's image, whole.

`make lock` writes it; `--check` (a part of `make lint`) fails when it is not what the lock says.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
NOTICE = ROOT / "NOTICE"
LOCK = ROOT / "requirements.lock"
# Licences of libraries whose wheels forgot them, as their repositories have them: NAME.txt.
FORGOTTEN = ROOT / "dev/licences"
# The wheels of arm64 are of the same releases.
PLATFORM = "x86_64-manylinux_2_28"

HEAD = """\
raggate is licensed under the Apache License 2.0, see LICENSE.

The action's image holds the libraries below as their authors published them, each under its own licence. They stand in
/opt/raggate/lib/python{python}/site-packages, sources included. A library under the LGPL (PyGithub) may be changed or
replaced there; `python -m compileall -f` then makes its bytecode anew. Parts that a library's authors compiled into it
are listed with it, as its own bill of materials names them.

Python and the system's packages come with the base image: their licences stand in the image, in
/usr/local/lib/python{python}/LICENSE.txt and /usr/share/doc/*/copyright.

Made from requirements.lock by `make lock`; do not edit.
"""
RULE = "=" * 100


class Library(NamedTuple):
    """What has to be said of one library.

    Attributes:
        name, version: As its release is called.
        licence: As its metadata names it.
        address: Where its project is at home.
        texts: Its licences and notices, whole; never empty.
        parts: What is compiled into it, with version and licence; empty for pure Python.
    """

    name: str
    version: str
    licence: str
    address: str
    texts: tuple[str, ...]
    parts: tuple[str, ...]


def main(arguments: list[str]) -> int:
    """Write NOTICE, or with `--check` say whether it is as it must be."""
    found = notice(image_python())
    if arguments != ["--check"]:
        NOTICE.write_text(found)
        return 0
    if NOTICE.is_file() and NOTICE.read_text() == found:
        return 0
    sys.stderr.write("NOTICE is not what requirements.lock says: run `python dev/notice.py` and commit it\n")
    return 1


def image_python() -> str:
    """The Python of the image, `3.13`; some wheels differ by it."""
    found = re.search(r"^ARG BASE=python:(\d+\.\d+)-", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    if found is None:
        sys.exit("the Dockerfile's ARG BASE names no python:X.Y-... image")
    return found[1]


def notice(python: str) -> str:
    """The text of NOTICE for an image with this Python."""
    listed = [library(entry) for entry in installed(python)]
    unneeded = {path.stem for path in FORGOTTEN.iterdir()} - {each.name for each in listed}
    if unneeded:
        sys.exit(f"dev/licences: {', '.join(sorted(unneeded))} is no library of the image; remove its file")
    listed.sort(key=lambda each: each.name.lower())
    return "\n".join([HEAD.format(python=python), *map(shown, listed)])


def installed(python: str) -> list[dict[str, Any]]:
    """What pip-licenses says of each library of the lock, from the wheels the image installs."""
    with tempfile.TemporaryDirectory() as folder:
        run("uv", "venv", "--quiet", "--no-python-downloads", "--python", sys.executable, folder)
        here = f"{folder}/bin/python"
        run(
            *("uv", "pip", "install", "--quiet", "--python", here, "--no-deps", "--require-hashes"),
            *("--only-binary", ":all:", "--python-version", python, "--python-platform", PLATFORM, "-r", str(LOCK)),
        )
        fields = ("--with-license-files", "--with-notice-files", "--with-sbom-files", "--with-urls")
        answer = run("pip-licenses", "--python", here, "--format", "json", "--omit-non-metadata-files", *fields)
    found: list[dict[str, Any]] = json.loads(answer)
    return found


def run(program: str, *arguments: str) -> str:
    """What a program of our own environment prints; its complaints go where ours go."""
    beside = Path(sys.executable).with_name(program)
    return subprocess.run([beside, *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout


def library(entry: dict[str, Any]) -> Library:
    """One library, from pip-licenses' answer.

    Exits when there is no text of its licence, for then nobody may pass it on; and when our own copy is not needed.
    """
    name = entry["Name"]
    texts = tuple(text for text in map(tidy, (*entry["LicenseTexts"], *entry["NoticeTexts"])) if text)
    ours = FORGOTTEN / f"{name}.txt"
    if texts and ours.is_file():
        sys.exit(f"dev/licences/{ours.name} is not needed: {name} brings its licence now; remove the file")
    if not texts and not ours.is_file():
        sys.exit(f"{name} brings no licence text: put the one of its repository into dev/licences/{ours.name}")
    parts = {part for bill in entry["SbomTexts"] for part in parts_of(json.loads(bill))}
    return Library(
        name, entry["Version"], entry["License"], entry["URL"], texts or (tidy(ours.read_text()),), tuple(sorted(parts))
    )


def parts_of(bill: dict[str, Any]) -> Iterable[str]:
    """The components of a CycloneDX bill of materials: `libm 0.2.15: MIT`."""
    for part in bill.get("components", ()):
        named = [each.get("expression") or each["license"]["id"] for each in part.get("licenses", ())]
        yield f"{part['name']} {part['version']}: {' AND '.join(named) or 'its bill names none'}"


def tidy(text: str) -> str:
    """A text without blanks at its lines' ends, and without empty lines around it."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def shown(each: Library) -> str:
    """A library's part of NOTICE."""
    head = f"{RULE}\n{each.name} {each.version}\n{each.licence}\n{each.address}"
    parts = ["\n  ".join(["Compiled in:", *each.parts])] if each.parts else []
    return "\n\n".join([head, *parts, *each.texts]) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
