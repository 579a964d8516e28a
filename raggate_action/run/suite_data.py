"""The suite of a run as data, for whoever compares a later run with it: the content of `suite.json`."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic_core import to_json

from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.run.run_session import restricted_text
from raggate_action.schema.base import digest_of
from raggate_action.schema.case import Case, MustNot, Phrase, RequiredPoint, phrase_in_words
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.later import StoredSuite
from raggate_action.schema.target import RecordedTarget
from raggate_action.suite_files import LoadedSuite

_AS_WRITTEN = {"suite", "gates", "slices", "waivers", "enforce", "pipeline", "language", "citation_markers"}
# Some 30 bytes each; a store with more is not compared.
_READERS_AT_MOST = 100_000
_MAY_REPEAT = ("must_contain", "must_not_contain", "required_quotes", "required_points", "criteria")


def suite_data(loaded: LoadedSuite) -> bytes:
    """The content of `suite.json`, a case on a line."""
    suite, target = loaded.suite, loaded.written_target
    restricted = restricted_text(loaded)
    cases: list[bytes] = []
    known_bad: dict[str, str] = {}
    traces: dict[str, str] = {}
    withheld: dict[str, list[tuple[str, str]]] = {}
    for placed in loaded.cases:
        case = placed.case
        if case.known_bad:
            known_bad[case.case_id] = placed.digest[:16]
            continue
        if case.trace is not None:
            traces[f"trace of {case.case_id}"] = placed.digest[:16]
            case = case.model_copy(update={"trace": None})
        if found := _withheld(case, restricted, ids_alone=suite.texts == "ids"):
            withheld[case.case_id] = [(field, digest_of(to_json(item).decode())) for field, item in found]
            secret = [item for _field, item in found]
            kept: dict[str, Any] = {
                name: tuple([each for each in getattr(case, name) if each not in secret]) for name in _MAY_REPEAT
            }
            kept["reference_answer"] = None if case.reference_answer in secret else case.reference_answer
            case = case.model_copy(update=kept)
        data = case.model_dump_json(exclude_defaults=True)
        if case.expect == "answer" and "expect" in case.model_fields_set:
            # That it is written says that there is an answer.
            data = f'{data[:-1]},"expect":"answer"}}'
        cases.append(data.encode())
    keys: dict[str, Any] = {
        "schema_version": 1,
        **suite.model_dump(mode="json", include=_AS_WRITTEN),
        "kind": target.kind,
        "labelled": isinstance(target, RecordedTarget) and target.labelled,
        "readers": _readers(loaded.evidence),
        "digests": _digests(loaded) | traces,
        "known_bad": known_bad,
        "withheld": withheld,
    }
    if (judges := suite.judges) is not None:
        keys["judges"] = judges.model_dump(mode="json", include={"arming", "quorum", "counts"})
    head = to_json(keys, indent=1).removesuffix(b"\n}")
    return b"".join([head, b',\n "cases": [', b",".join([b"\n  " + case for case in cases]), b"]\n}\n"])


def stored_suite(data: bytes) -> StoredSuite:
    """The same as a record."""
    from raggate_action.schema.stored_suite import StoredSuite

    return StoredSuite.model_validate_json(data)


def digest_of_suite(data: bytes) -> str:
    """What `run.json` knows it by."""
    return hashlib.sha256(data).hexdigest()


def _withheld(
    case: Case, restricted: RestrictedText, *, ids_alone: bool
) -> list[tuple[str, str | Phrase | RequiredPoint | MustNot]]:
    """What may not be written, each with its field: demands that repeat text which the case's asker may not read.

    Where ids alone are kept, no reference answer is: it is an answer in other words.
    """
    found: list[tuple[str, str | Phrase | RequiredPoint | MustNot]] = []
    if not restricted.is_empty:
        demands = [(field, item) for field in _MAY_REPEAT for item in getattr(case, field)]
        found += [(field, item) for field, item in demands if restricted.repeated_in((_words(item),), case)]
    reference = case.reference_answer
    if reference is not None and (ids_alone or restricted.repeated_in((reference,), case)):
        found.append(("reference_answer", reference))
    return found


def _words(item: Phrase | RequiredPoint | MustNot) -> str:
    if isinstance(item, MustNot):
        return item.must_not
    if isinstance(item, RequiredPoint):
        return " ".join((item.id, *item.said, *item.support_phrases))
    return phrase_in_words(item)


def _readers(store: EvidenceStore | None) -> dict[str, list[str]] | None:
    """Who may be shown the chunks that not everybody may be shown; None without a store, or of too many."""
    if store is None:
        return None
    found: dict[str, list[str]] = {}
    for chunk in store:
        if not chunk.permitted or chunk.principals:
            found[chunk.chunk_id] = sorted(set(chunk.principals)) if chunk.permitted else []
            if len(found) > _READERS_AT_MOST:
                return None
    return dict(sorted(found.items()))


def _digests(loaded: LoadedSuite) -> dict[str, str]:
    """Of what no suite.json holds, so that a change of it can be told."""
    suite = loaded.suite
    target = loaded.written_target.model_dump(mode="json", exclude={"kind", "labelled"}, exclude_defaults=True)
    found = {f"target.{key}": digest_of(value)[:16] for key, value in target.items()}
    if suite.own_addresses:
        found["own_addresses"] = digest_of(suite.own_addresses)[:16]
    if suite.judges is not None:
        from raggate_action.judges.judge_exchange import fingerprint

        panel = {each.name: f"{each.model} {fingerprint(each)[:16]}" for each in suite.judges.panel}
        found |= {f"judges.{name}": judge for name, judge in panel.items()}
    modules = {placed.case.custom_check.partition(":")[0] for placed in loaded.cases if placed.case.custom_check}
    for path in [Path(*steps) for steps in (each.split(".") for each in sorted(modules)) if all(steps)]:
        for file in (path.with_suffix(".py"), path / "__init__.py"):
            with suppress(OSError):
                found[file.as_posix()] = hashlib.sha256((loaded.directory / file).read_bytes()).hexdigest()[:16]
                break
    return found
