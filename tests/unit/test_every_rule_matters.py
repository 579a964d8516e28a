"""Each single rule is turned off once, and its example changes; no rule, code, threshold or level is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from raggate_action.core.text.abstention import Stance, stance_by
from raggate_action.core.text.languages.language_rules import KNOWN, Expressions, LanguageRules, rules_of
from raggate_action.schema.policy import Gates, Penalties
from raggate_action.schema.slices import Slices
from tests.declining import ANSWERS, ASKED, BETWEEN, DECLINES, NO_CLAIMS
from tests.rule_switches import FOLDER, SETTINGS, SWITCHES, Setting, Switch, loaded, modules, source
from tests.thorough import turned_off

GATE_DOCS = (Path(__file__).parents[2] / "docs/gates.md").read_text()


def codes(result: Any, gate: str) -> set[str]:
    return {problem["code"] for problem in result["outcomes"][gate].get("problems", ())}


TURNED_OFF = [switch for switch in SWITCHES if turned_off().has(switch.module)]


@pytest.mark.parametrize("switch", TURNED_OFF, ids=lambda switch: switch.rule)
def test_without_a_rule_its_example_changes(switch: Switch) -> None:
    with loaded() as core:
        before = switch.example(core)
    with loaded(switch) as core:
        try:
            after = switch.example(core)
        except (LookupError, ValidationError):  # a crash is noticed as well
            after = None
    gate, colon, code = switch.rule.partition(": ")
    if colon and gate in Gates.model_fields:
        assert code in codes(before, gate)
        assert after is None or code not in codes(after, gate)
    else:
        assert after != before


def test_with_every_rule_on_nothing_changes() -> None:
    with loaded() as core:
        first = [switch.example(core) for switch in SWITCHES]
    with loaded() as core:
        assert [switch.example(core) for switch in SWITCHES] == first


@pytest.mark.parametrize("setting", SETTINGS, ids=[setting.path for setting in SETTINGS])
def test_every_setting_changes_its_example(setting: Setting) -> None:
    with loaded() as core:
        assert setting.changed(core) != setting.default(core)


# Completeness


def documented() -> set[str]:
    """Every problem code of every gate, from the table that another test holds equal to the code."""
    rows = re.findall(r"^\| `(\w+)` \|.*?\|.*?\|([^|]*)\|", GATE_DOCS, re.MULTILINE)
    return {f"{gate}: {code}" for gate, codes in rows for code in re.findall(r"`([a-z-]+)`", codes)}


def test_every_problem_code_of_every_gate_has_a_switch() -> None:
    assert len(documented()) > 35
    assert documented() <= {switch.rule for switch in SWITCHES}


def test_every_problem_code_in_the_core_has_a_switch() -> None:
    text = "".join(source(name) for name in modules())
    written = set(re.findall(r'Problem\(\s*code="([a-z-]+)"', text))
    computed = re.findall(r'Problem\(\s*code=f"([a-z-]+)\{', text)
    assert len(written) > 20, "the pattern no longer finds the codes"
    switched = {switch.rule.partition(": ")[2] for switch in SWITCHES}
    assert written <= switched
    assert all(any(code.startswith(stem) for code in switched) for stem in computed)


def settable() -> set[str]:
    """Every level, bar and penalty a suite can set."""
    paths = {f"slices.{name}" for name in Slices.model_fields}
    paths |= {f"gates.behaviour.penalties.{name}" for name in Penalties.model_fields}
    defaults = Gates.model_validate(
        {"p95_latency_ms": {"max": 1.0}, "cost_usd": {"max": 1.0}, "judge_cost_usd": {"max": 1.0}}
    )
    for gate in Gates.model_fields:
        paths |= {f"gates.{gate}.{name}" for name in type(getattr(defaults, gate)).model_fields}
    # Two have one level only, and penalties are settings of their own.
    return paths - {
        "gates.target.level",
        "gates.admissibility.level",
        "gates.behaviour.penalties",
    }


def test_every_threshold_and_level_has_an_example() -> None:
    assert {setting.path for setting in SETTINGS} == settable()


def test_no_switch_stands_for_two_rules() -> None:
    names = [switch.rule for switch in SWITCHES]
    assert sorted(set(names)) == sorted(names)


def test_the_core_is_loaded_whole() -> None:
    files = [path for path in FOLDER.rglob("*.py") if path.name != "__init__.py"]
    assert len(modules()) == len(files)


# Rules of a language are data: each single expression is taken out of its row


# Words by which a text's language, a quotation, a question or what joins two clauses is read: `test_languages` has them.
NOT_OF_SENTENCES = frozenset(
    name
    for name in LanguageRules._fields
    if name in {"common", "leaning", "source_lead", "hypothetical", "yes_or_no", "open_point", "goes_on"}
    or name in {"concludes", "objects", "because", "embedded", "report"}
    or name.startswith("asks_")
)


def expressions() -> Iterator[Any]:
    for language in KNOWN if turned_off().has("text.languages") else ():
        rules = rules_of(language)
        for field in LanguageRules._fields:
            entries = getattr(rules, field)
            for n in range(len(entries) if isinstance(entries, tuple) else 1) if field not in NOT_OF_SENTENCES else ():
                yield pytest.param(language, field, n, id=f"{language}: {field} {n}")


def readings(language: str, rules: LanguageRules) -> Iterator[Stance]:
    by = Expressions(rules, language)
    between = tuple(sentence for sentence, _ in BETWEEN[language])
    for sentence in DECLINES[language] + ANSWERS[language] + NO_CLAIMS[language] + between:
        yield stance_by(sentence, by)
    for question, sentence, _ in ASKED[language]:
        yield stance_by(sentence, by, question)


@cache
def readings_by_all(language: str) -> tuple[Stance, ...]:
    return tuple(readings(language, rules_of(language)))


@pytest.mark.parametrize(("language", "field", "number"), list(expressions()))
def test_without_an_expression_some_sentence_is_read_otherwise(language: str, field: str, number: int) -> None:
    rules = rules_of(language)
    entries = getattr(rules, field)
    never = "(?!)"
    left: Any = (*entries[:number], *entries[number + 1 :]) or (never,) if isinstance(entries, tuple) else never
    without = readings(language, rules._replace(**{field: left}))
    # One sentence is enough; those behind it need not be read.
    assert any(one != other for one, other in zip(without, readings_by_all(language), strict=True))
