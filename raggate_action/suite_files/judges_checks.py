"""What the `judges:` section says that no record can check: keys, judges that are one and the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from raggate_action.isolation.secrets import SHORTEST
from raggate_action.schema.judges import JudgeBudget, Judges, Member
from raggate_action.suite_files.nodes import Node, Written, child, children, json_value, written
from raggate_action.suite_files.problems import FileProblems
from raggate_action.suite_files.variables import OF_THE_RUNNER
from raggate_action.suite_files.words import name_text

# A token for the repository, and what tells of the machine: a key is sent to whatever address the suite names.
_NO_KEYS = frozenset(
    {
        "GITHUB_TOKEN", "GH_TOKEN", "PATH", "HOME", "USER", "LOGNAME", "HOSTNAME", "PWD", "OLDPWD", "SHELL", "LANG",
        "TERM", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "SSH_AUTH_SOCK",
    }
)  # fmt: skip
# Keys of some providers consist of what a variable's name may consist of.
_LIKE_A_KEY = re.compile(r"(?=.*[a-z])(?=.*[0-9])\w{20,}")
_NAME_OF_ONE = "write the name of a variable that holds it, as in OPENAI_API_KEY; a key itself stands in no file"


def check_judges(judges: Node | None, problems: FileProblems) -> None:
    """Check everything that needs no other file and no network.

    Args:
        judges: The section; None where there is none.
        problems: Is told what is wrong.
    """
    check_members(children(child(judges, "panel")), problems)


def check_members(members: Iterable[Node], problems: FileProblems) -> None:
    """Check the judges of one panel, as they are written."""
    seen: dict[str, str] = {}
    for member in members:
        _check_key(written(child(member, "api_key_env")), problems)
        _check_twin(member, seen, problems)


def _check_key(name: Written | None, problems: FileProblems) -> None:
    if name is None:
        return
    if _LIKE_A_KEY.fullmatch(name.text):
        problems.add(name.mark, f"`api_key_env` looks like a key itself; {_NAME_OF_ONE}")
    elif name.text.upper() in _NO_KEYS or name.text.upper().startswith(OF_THE_RUNNER):
        text = f"`api_key_env` names `{name_text(name.text)}`, which belongs to the workflow's runner or to the machine"
        problems.add(name.mark, f"{text}; give the judge a variable of its own by `env:`, as in JUDGE_API_KEY")


def _check_twin(member: Node, seen: dict[str, str], problems: FileProblems) -> None:
    """That no judge votes twice: of one model asked in one way a second vote says nothing new."""
    name, model = written(child(member, "name")), written(child(member, "model"))
    if name is None or model is None:
        return
    keys = ("base_url", "model", "parameters", "structured")
    what = repr([json_value(node) if (node := child(member, key)) is not None else None for key in keys])
    if what in seen and seen[what] != name.text:
        text = f"judge `{name_text(name.text)}` is `{name_text(seen[what])}` once more: the same model, asked alike"
        problems.add(model.mark, f"{text}; take one of them out, or name another model")
    seen.setdefault(what, name.text)


def remarks_on_judges(judges: Judges | None) -> Iterator[str]:
    """What the author of a panel should know and what is no mistake."""
    if judges is None:
        return
    yield from unpriced_remark("judges", judges.panel, judges.budget)
    for lab, members in groupby(sorted(judges.panel, key=_lab), key=_lab):
        names = [member.name for member in members]
        if len(names) > 1:
            yield f"judges: {', '.join(names)} are of one lab ({name_text(lab)}): judges of one lab share their faults"


def unpriced_remark(section: str, members: Iterable[Member], budget: JudgeBudget) -> Iterator[str]:
    """That prices are unknown, where they are.

    Args:
        section: Of the suite file.
        members: Its judges.
        budget: What they may cost.
    """
    unpriced = [member.name for member in members if member.price is None]
    if unpriced:
        text = f"{section}: the price of {', '.join(unpriced)} is unknown, so that what is paid is not counted"
        bound = budget.usd is not None and budget.tokens is None
        yield f"{text} and no budget in dollars binds; write `price:`, or a budget in tokens" if bound else text


def _lab(member: Member) -> str:
    return member.lab.casefold()


def keys_of_members(members: Iterable[Member], environment: Mapping[str, str]) -> dict[str, str]:
    """The keys of some judges by the variable that holds them; one that is not set, or is empty, is left out."""
    names = [member.api_key_env for member in members if member.api_key_env is not None]
    return {name: value for name in names if (value := environment.get(name, "").strip())}


def secrets_of_members(members: Iterable[Member], environment: Mapping[str, str]) -> Iterator[str]:
    """Keys, which no output may show; values of fewer than six characters would blot out ordinary text."""
    for name, key in keys_of_members(members, environment).items():
        yield from (value for value in dict.fromkeys((key, environment[name])) if len(value) >= SHORTEST)
