"""What the `ab:` section says that no record can check: who judges, of which lab, and what its arms differ in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from raggate_action.schema.ab import Ab, ArmName, Rubric
from raggate_action.schema.judges import Member
from raggate_action.schema.suite import Suite
from raggate_action.strings.numbers import count
from raggate_action.suite_files.ab_arms import ARMS, written_targets
from raggate_action.suite_files.judges_checks import check_members, secrets_of_members, unpriced_remark
from raggate_action.suite_files.nodes import Mapping as MappingNode
from raggate_action.suite_files.nodes import Node, Scalar, child, children, written
from raggate_action.suite_files.problems import FileProblems, Problems
from raggate_action.suite_files.rubric_file import default_rubric, read_rubric
from raggate_action.suite_files.target_secrets import secrets_of
from raggate_action.suite_files.words import listed, name_text, or_known


class SharedLab(NamedTuple):
    """A lab that more than one of those who compare, or are compared, come from.

    Attributes:
        lab: As it is written first.
        judges: Its judges, in order; at least one.
        arms: Its arms, in order.
    """

    lab: str
    judges: tuple[str, ...]
    arms: tuple[ArmName, ...]

    def __str__(self) -> str:
        arms = [f"the {arm}'s model" for arm in self.arms]
        judges = [f"judge {name_text(name)}" for name in self.judges]
        return f"{', '.join([*judges, *arms])} are of one lab ({name_text(self.lab)})"


def check_ab(suite: Node, problems: FileProblems) -> None:
    """Check what needs no record and no other file: judges that are named, and those written here.

    Args:
        suite: The suite file.
        problems: Is told what is wrong.
    """
    section = child(suite, "ab")
    panel = children(child(child(suite, "judges"), "panel"))
    known = {name.text: each for each in panel if (name := written(child(each, "name"))) is not None}
    own = [each for each in children(child(section, "judges")) if isinstance(each, MappingNode)]
    names = [each for each in children(child(section, "judges")) if isinstance(each, Scalar)]
    synthesizer = child(section, "synthesizer")
    if isinstance(synthesizer, Scalar):
        names.append(synthesizer)
    here = [name.text for each in own if (name := written(child(each, "name"))) is not None]
    # Whoever writes the findings may be one of the comparison's own judges.
    for node in names:
        _check_name(node, known, here if node is synthesizer else (), problems)
    for each in own:
        name = written(child(each, "name"))
        if name is not None and name.text in known:
            text = f"judge `{name_text(name.text)}` stands in `judges: panel` already"
            problems.add(name.mark, f"{text}; write its name alone, or give this one a name of its own")
    chosen = [
        known[name.text] for node in names if node is not synthesizer and (name := written(node)) and name.text in known
    ]
    check_members([*chosen, *own], problems)
    if isinstance(synthesizer, MappingNode):
        check_members([synthesizer], problems)


def _check_name(node: Scalar, known: Mapping[str, Node], here: list[str] | tuple[()], problems: FileProblems) -> None:
    name = written(node)
    if name is None or not name.text or name.text in known or name.text in here:
        return
    both = [*known, *here]
    otherwise = (
        f"`judges: panel` has {listed(both)}" if both else "the suite has no `judges: panel`: write the judge itself"
    )
    problems.add(
        name.mark, f"there is no judge `{name_text(name.text)}`; {or_known(name.text, both, otherwise=otherwise)}"
    )


def check_arms(suite: Suite, root: Node, problems: FileProblems) -> None:
    """Check what a sound suite says of its arms and labs.

    Args:
        suite: The suite.
        root: Its file.
        problems: Is told what is wrong.
    """
    ab = suite.ab
    if ab is None:
        return
    section = child(root, "ab")
    targets = written_targets(ab, suite.target)
    if targets is not None and ab.control is not None and ab.treatment is not None:
        alike = (ab.control.model, ab.control.lab) == (ab.treatment.model, ab.treatment.lab)
        if alike and targets[0] == targets[1] and (treatment := child(section, "treatment")):
            text = "`treatment:` says nothing that differs from `control:`; write the one thing that does"
            problems.add(treatment.mark, text)
    if ab.same_lab == "refuse" and (same_lab := child(section, "same_lab")):
        for shared in shared_labs(suite):
            text = f"{shared}, which `same_lab: refuse` forbids"
            problems.add(same_lab.mark, f"{text}; name another judge, or write `same_lab: disclose`")


def members_of(suite: Suite) -> tuple[Member, ...]:
    """The judges of a comparison, in order, but for names that nobody has; empty where the suite compares nothing."""
    named = suite.ab.judges if suite.ab is not None else ()
    return tuple([member for each in named if (member := _member(each, suite)) is not None])


def synthesizer_of(suite: Suite) -> Member | None:
    """Who writes findings from the counts; None leaves it to rules."""
    ab = suite.ab
    if ab is None or ab.synthesizer is None:
        return None
    own = {each.name: each for each in ab.judges if isinstance(each, Member)}
    named = ab.synthesizer
    return own[named] if isinstance(named, str) and named in own else _member(named, suite)


def _member(named: str | Member, suite: Suite) -> Member | None:
    if isinstance(named, Member):
        return named
    panel = suite.judges.panel if suite.judges is not None else ()
    return next((member for member in panel if member.name == named), None)


def shared_labs(suite: Suite) -> tuple[SharedLab, ...]:
    """Labs of two judges, or of a judge and an arm; by the first judge of each."""
    ab = suite.ab
    if ab is None:
        return ()
    arms = {name: _lab_of(ab, name) for name in ARMS}
    found: dict[str, list[Member]] = {}
    for member in members_of(suite):
        found.setdefault(member.lab.casefold(), []).append(member)
    shared = []
    for lab, members in found.items():
        of_arms = tuple([name for name, own in arms.items() if own is not None and own.casefold() == lab])
        if len(members) > 1 or of_arms:
            shared.append(SharedLab(members[0].lab, tuple([member.name for member in members]), of_arms))
    return tuple(shared)


def _lab_of(ab: Ab, name: ArmName) -> str | None:
    arm = ab.control if name == "control" else ab.treatment
    return arm.lab if arm is not None else None


def remarks_on_ab(suite: Suite | None) -> Iterator[str]:
    """What the author of a comparison should know and what is no mistake."""
    if suite is None or suite.ab is None:
        return
    panel = {member.name for member in suite.judges.panel} if suite.judges is not None else set()
    paid = {member.name: member for member in (*members_of(suite), *filter(None, [synthesizer_of(suite)]))}
    yield from unpriced_remark("ab", [each for name, each in paid.items() if name not in panel], suite.ab.budget)
    for shared in shared_labs(suite):
        yield f"ab: {shared}: every headline is told without them as well"
    unnamed = [name for name in ARMS if suite.ab.control is not None and _lab_of(suite.ab, name) is None]
    if unnamed:
        text = f"ab: nobody says who trained the model of {' and '.join(unnamed)}"
        yield f"{text}; write `lab:`, or a judge of the same lab goes unnoticed"


def secrets_of_suite(suite: Suite, environment: Mapping[str, str]) -> tuple[str, ...]:
    """What of the environment's values no output may show: of every target that the file names, and of every judge."""
    ab = suite.ab
    targets = [suite.target]
    members = list(suite.judges.panel) if suite.judges is not None else []
    if ab is not None:
        targets += [arm.target for arm in (ab.control, ab.treatment) if arm is not None and arm.target is not None]
        members += [*members_of(suite), *filter(None, [synthesizer_of(suite)])]
    found = [secret for target in targets for secret in secrets_of(target, environment)]
    return tuple(dict.fromkeys((*found, *secrets_of_members(members, environment))))


def ab_words(suite: Suite, ab: Ab) -> str:
    """A comparison in a few words, for who checks a suite."""
    members = members_of(suite)
    labs = {member.lab.casefold() for member in members}
    arms = "two arms" if ab.control is not None else "the baseline's answers beside a run's"
    return f"{arms}, {count(len(members), 'judge')} of {count(len(labs), 'lab')}"


def rubric_of(suite: Suite, root: Node, path: Path, problems: Problems) -> Rubric | None:
    """What a suite's comparison is scored by: its own rubric, or ours; None without a comparison, or a sound rubric.

    Args:
        suite: The suite.
        root: Its file.
        path: Where that is.
        problems: Of all files; is told what is wrong.
    """
    if suite.ab is None:
        return None
    named = written(child(child(root, "ab"), "rubric"))
    if suite.ab.rubric is None or named is None:
        return default_rubric()
    file = path.parent / suite.ab.rubric
    if not file.is_file():
        text = f"there is no file `{name_text(named.text)}`; write the rubric's path, relative to this file's folder"
        problems.within(path).add(named.mark, text)
        return None
    return read_rubric(file, problems.within(file))
