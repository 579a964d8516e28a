"""The reference pages, made of what the program says itself: keys of a suite and a case, commands, inputs, outputs.

`make reference` writes `docs/reference/*.md` anew; a test holds that they are what this module makes. Their words stand
in the JSON Schemas, at the options of each command, and in `action.yml`.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from inspect import cleandoc
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from raggate_action.cli.commands import COMMANDS
from raggate_action.cli.options import declare

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs/reference"
Schema: TypeAlias = Mapping[str, Any]

_MADE = "<!-- made by `make reference` -->"
_LONGEST_DEFAULT = 40
# What says of a gate no more than the table of the keys.
_AS_EVERY = ("As for every gate on cases.", "is only reported.", "`block`, `warn` or `off`.")
_SUITE = (
    "The suite is one YAML file, `raggate.yaml`. Unknown keys are errors with a suggestion, and `raggate-action check` "
    "reports the mistakes of all files at once, names, variables and dates once the form of the file is sound. "
    "Paths are relative to the suite file. Write shares as `95%` or `0.95`. "
    "What each key is for, with samples: [the suite](../suite.md); what each gate checks: [gates](../gates.md)."
)
_CASE = "A case is an item of a file under `cases:` (YAML, JSON or JSON lines). With samples: [the suite](../suite.md)."


def pages() -> dict[str, str]:
    """Every page by its file name."""
    suite, cases = (_schema(name) for name in ("suite", "cases"))
    case = cases["$defs"]["Case"]
    made = {
        "suite-keys.md": ["# Keys of a suite", _SUITE, *_records(suite, suite)],
        "case-keys.md": ["# Keys of a case", _CASE, *_records(case, cases)],
        "commands.md": ["# Commands", *_commands()],
        "action.md": ["# Inputs and outputs of the action", *_action()],
    }
    return {name: "\n\n".join([_MADE, *parts]) + "\n" for name, parts in made.items()}


def _schema(name: str) -> Schema:
    found: Schema = json.loads((ROOT / f"docs/schemas/{name}.schema.json").read_text())
    return found


def _records(root: Schema, whole: Schema) -> Iterator[str]:
    """A table for each record that can be written, in the order in which a reader of the file meets them."""
    left: deque[tuple[str, Schema]] = deque([("", root)])
    known = {"Trace"}
    while left:
        path, record = left.popleft()
        if record.get("title") in known:
            continue
        known.add(record.get("title", path))
        if path:
            yield f"## {path}"
            yield record.get("description", "")
        properties: Schema = record.get("properties", {})
        is_gates = path == "gates"
        rows = [_row(key, each, record, whole if is_gates else {}) for key, each in properties.items() if key != "kind"]
        yield _table(("key", "default", "meaning"), rows)
        if is_gates:
            yield "A gate on cases has these keys:"
            yield _table(("key", "meaning"), [(f"`{key}`", words) for key, words in _every_gate(whole).items()])
        for key, each in properties.items():
            if not is_gates or key == "behaviour":
                below = f"{path}.{key}".lstrip(".")
                left.extend((f"{below}{ending}", found) for ending, found in _below(each, whole))


def _row(key: str, each: Schema, record: Schema, whole: Schema) -> tuple[str, str, str]:
    """A key; of a gate, where `whole` is the schema around it, with what its own `level` and `max` say."""
    default = "required" if key in record.get("required", ()) else _default(each)
    words = [each.get("description", "")]
    for name in [option["$ref"].rpartition("/")[2] for option in _options(each) if "$ref" in option and whole]:
        own = whole["$defs"][name]["properties"]
        words += [f"`{each}`: {own[each]['description']}" for each in ("level", "max") if each in own]
    choices = [value for option in _options(each) for value in option.get("enum", ())]
    if choices and not all(f"`{value}`" in words[0] for value in choices):
        words.append(f"One of {', '.join(f'`{value}`' for value in choices)}.")
    return f"`{key}`", default, " ".join([each for each in words if each and not each.endswith(_AS_EVERY)])


def _every_gate(whole: Schema) -> dict[str, str]:
    """What the keys of a gate on cases mean."""
    plain, within = (whole["$defs"][name]["properties"] for name in ("PlainGate", "CaseGate"))
    return {key: {**within, **plain}[key]["description"] for key in within}


def _options(each: Schema) -> list[Schema]:
    return [each, *each.get("anyOf", ()), *each.get("oneOf", ())]


def _default(each: Schema) -> str:
    """The default as it would be written; of a record its own table says it."""
    found = each.get("default")
    if isinstance(found, dict) and "level" in found:
        return ", ".join([f"`{key}: {value}`" for key, value in _shown(found).items()])
    if isinstance(found, dict) or found in (None, "", []):
        return ""
    written = f"`{json.dumps(found, ensure_ascii=False)}`" if not isinstance(found, str) else f"`{found}`"
    return written if len(written) <= _LONGEST_DEFAULT else "see below"


def _shown(gate: Mapping[str, Any]) -> dict[str, Any]:
    """What a gate's default says: a share of 1 within a case is what every gate has."""
    kept = {key: value for key, value in gate.items() if not isinstance(value, dict) and value is not None}
    return {key: _share(value) for key, value in kept.items() if (key, value) != ("per_case", "1")}


def _share(value: Any) -> Any:
    """`95%` for a share that is kept as text."""
    return f"{float(value) * 100:g}%" if isinstance(value, str) and re.fullmatch(r"[01](\.\d+)?", value) else value


def _below(each: Schema, whole: Schema) -> Iterator[tuple[str, Schema]]:
    """The records that a key may hold, each with what its path ends in."""
    for option in _options(each):
        if (name := option.get("$ref", "").rpartition("/")[2]) and whole["$defs"][name].get("properties"):
            record = whole["$defs"][name]
            kind = record["properties"].get("kind", {}).get("const")
            several = sum("$ref" in other for other in _options(each)) > 1
            form = f" (kind: {kind})" if kind else f" {{{next(iter(record['properties']))}: ...}}" if several else ""
            yield form, record
        for key, ending in (("items", "[]"), ("additionalProperties", ".NAME")):
            if isinstance(inner := option.get(key), dict):
                yield from ((f"{ending}{more}", found) for more, found in _below(inner, whole))


def _commands() -> Iterator[str]:
    """Every command that people type, with its options and its examples."""
    yield "`raggate-action --help` lists them; each says the same by `--help`."
    for name, command in COMMANDS.items():
        if command.place == "unlisted":
            continue
        yield f"## {name}"
        text, _, end = cleandoc(command.__doc__ or "").partition("\n\nexamples:\n")
        examples, _, exits = end.partition("\n\n")
        yield " ".join(text.split())
        parser = argparse.ArgumentParser(add_help=False)
        declare(parser, command)
        rows = [(_typed(action), action.help or "") for action in parser._actions]  # noqa: SLF001 - argparse has no other list
        if rows:
            yield _table(("option", "meaning"), rows)
        yield "\n".join(["```sh", *[line.strip() for line in examples.splitlines()], "```"])
        if exits:
            yield f"{' '.join(exits.split()).capitalize()}."


def _typed(action: argparse.Action) -> str:
    """How an option is typed: `--out DIR`."""
    names = " / ".join(action.option_strings)
    value = action.metavar or ("|".join(map(str, action.choices)) if action.choices else "")
    if not action.option_strings:
        return f"`{value or action.dest.upper()}`"
    return f"`{names} {value}`" if action.nargs != 0 and value else f"`{names}`"


def _action() -> Iterator[str]:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    yield (
        "A later step can use the numbers of `result` ([its form](../schemas/result.schema.json)). Its texts come from "
        "a fixed list, so a case or an answer cannot write into a script. Values that were not measured are null, "
        "never 0: `${{ fromJSON(steps.gate.outputs.result).regressions }}`."
    )
    inputs = [(f"`{key}`", f"`{each['default']}`" if each.get("default") else "", each["description"])
              for key, each in action["inputs"].items()]  # fmt: skip
    yield "## Inputs"
    yield _table(("input", "default", "meaning"), inputs)
    yield "## Outputs"
    yield _table(("output", "meaning"), [(f"`{key}`", each["description"]) for key, each in action["outputs"].items()])


def _table(titles: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [titles, tuple("---" for _title in titles), *rows]
    return "\n".join([f"| {' | '.join(map(_cell, line))} |" for line in lines])


def _cell(text: str) -> str:
    """Words on one line, without what would end the cell."""
    return " ".join(text.split()).replace("|", r"\|").replace("<", "&lt;")


if __name__ == "__main__":
    PAGES.mkdir(exist_ok=True)
    for _name, _text in pages().items():
        (PAGES / _name).write_text(_text)
