"""Which targets of a suite file are asked, what they are held against, and what they come to."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

from raggate_action.errors import UsageError
from raggate_action.network.addresses import EXAMPLE, address_problem, shown_address
from raggate_action.schema.base import digest_of
from raggate_action.schema.target import HttpTarget, TargetSection
from raggate_action.suite_files.ab_arms import asked_sections
from raggate_action.suite_files.modules import Modules
from raggate_action.suite_files.nodes import Node, child
from raggate_action.suite_files.problems import FileProblems
from raggate_action.suite_files.target_checks import TargetChecks
from raggate_action.suite_files.variables import tell_unset, with_values
from raggate_action.suite_files.words import value_text


class Beside(NamedTuple):
    """What the files are held against besides each other; the arguments of `load_suite`.

    Attributes:
        today: Waivers past this date are problems; None leaves them.
        environment: Where the variables of the file's targets come from; None when another target is asked.
        with_url: The file's address is asked.
        on_this_machine: What the files name has to be there.
        arms: The arms are asked instead of the file's target.
    """

    today: date | None
    environment: Mapping[str, str] | None
    with_url: bool
    on_this_machine: bool
    arms: bool


def modules_of(target: Node | None, directory: Path) -> Modules:
    """Functions and checks are run by the interpreter that a function target names, else by ours."""
    return Modules(directory, ours=child(target, "python") is None)


def check_asked(suite: Node, directory: Path, problems: FileProblems, beside: Beside) -> None:
    """Check the targets that are asked: variables, addresses, and what has to be there on this machine."""
    if beside.environment is None:
        return
    checks = TargetChecks(directory, beside.environment, with_url=beside.with_url)
    for target in _sections(suite, beside):
        tell_unset(target, beside.environment, problems, with_url=beside.with_url)
        checks.check_addresses(target, problems)
        if beside.on_this_machine:
            checks.check_machine(target, modules_of(target, directory), problems)


def _sections(suite: Node, beside: Beside) -> tuple[Node | None, ...]:
    """The targets that have to be there: those of the arms as well for whoever looks at all of the file."""
    arms = asked_sections(suite)
    if beside.arms and arms:
        return arms
    return (child(suite, "target"), *(arms if beside.on_this_machine else ()))


def asked_target(
    base: TargetSection, url: str | None, environment: Mapping[str, str] | None
) -> tuple[TargetSection, str]:
    """The target that is asked, and its digest before any variable has its value."""
    if url is not None:
        if problem := address_problem(url):
            raise UsageError(
                f"--target-url is {value_text(shown_address(url))}, which is no address: {problem}",
                hint=f"Write a whole one, as in {EXAMPLE}.",
            )
        if not isinstance(base, HttpTarget):
            raise UsageError(
                f"the suite's target is of kind {base.kind}, which has no address to replace",
                hint="Leave out --target-url, or write an http target in the suite.",
            )
        base = base.model_copy(update={"url": url})
    digest = digest_of(base.model_dump(mode="json", exclude_defaults=True))
    asked = base if environment is None else with_values(base, environment)
    # The address of the command line is meant as it stands.
    return (asked if url is None else asked.model_copy(update={"url": url})), digest
