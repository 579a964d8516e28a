"""What the `target:` section says that no record can check: addresses, and what has to be there on this machine."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from raggate_action.network.addresses import EXAMPLE, address_problem, shown_address
from raggate_action.schema.target import CommandTarget, HttpTarget
from raggate_action.suite_files.modules import Modules
from raggate_action.suite_files.nodes import Node, Written, child, members, texts_of, written
from raggate_action.suite_files.problems import FileProblems
from raggate_action.suite_files.text_file import unreadable
from raggate_action.suite_files.variables import with_values
from raggate_action.suite_files.wording import CALLABLE
from raggate_action.suite_files.words import name_text, value_text

_VARIABLE = re.compile(r"\$\{([^}]*)\}")
_RELATIVE = "a path is relative to this file's folder"


class TargetChecks(NamedTuple):
    """What the section is held against.

    Attributes:
        directory: The suite's; programs and files are relative to it.
        environment: Where `${VARS}` come from.
        with_url: False when the command line replaces the address.
    """

    directory: Path
    environment: Mapping[str, str]
    with_url: bool = True

    def check_addresses(self, target: Node | None, problems: FileProblems) -> None:
        """Report which addresses cannot be asked. Unset variables are reported elsewhere."""
        named = [("ready: url", child(child(target, "ready"), "url"))]
        if self.with_url:
            named.append(("url", child(target, "url")))
        for name, node in named:
            url = written(node)
            if url is None or not url.text or self._lacks_value(url.text):
                continue
            filled = with_values(HttpTarget(kind="http", url=url.text), self.environment)
            if isinstance(filled, HttpTarget) and (problem := address_problem(filled.url)):
                once = ", once its variables are filled in" if "$" in url.text else ""
                text = f"`{name}` is {value_text(shown_address(url.text))}, which is no address{once}: {problem}"
                problems.add(url.mark, f"{text}; write a whole one, as in {EXAMPLE}")

    def check_machine(self, target: Node | None, modules: Modules, problems: FileProblems) -> None:
        """Tell which program, interpreter, module or file of recorded traces is not there."""
        path = self._search_path(target)
        if command := texts_of(child(target, "command"))[:1]:
            self._check_program("command", command[0], path, problems)
        if python := written(child(target, "python")):
            self._check_program("python", python, path, problems)
        function = written(child(target, "function"))
        if function and re.fullmatch(CALLABLE, function.text) and (problem := modules.problem(function.text)):
            problems.add(function.mark, f"`function` names `{name_text(function.text)}`; {problem}")
        if (traces := written(child(target, "traces"))) and (problem := _traces_problem(self.directory, traces.text)):
            problems.add(traces.mark, problem)

    def _lacks_value(self, text: str) -> bool:
        return any(not self.environment.get(name) for name in _VARIABLE.findall(text.replace("$$", "")))

    def _search_path(self, target: Node | None) -> str | None:
        own = next((entry.node for name, entry in members(child(target, "env")) if name == "PATH"), None)
        path = written(own)
        return self.environment.get("PATH") if path is None else self._filled(path.text)

    def _filled(self, text: str) -> str:
        filled = with_values(CommandTarget(kind="command", command=(text,)), self.environment)
        return filled.command[0] if isinstance(filled, CommandTarget) else text

    def _check_program(self, key: str, word: Written, path: str | None, problems: FileProblems) -> None:
        if not word.text or self._lacks_value(word.text):
            return
        name = word.text if key == "python" else self._filled(word.text)
        file = self.directory / name
        if os.sep not in name:
            fault = (
                None
                if shutil.which(name, path=path)
                else "is no program on PATH; write its path, relative to this file's folder"
            )
        elif file.is_dir():
            fault = "is a folder; write the path of the program itself"
        elif not file.exists():
            fault = f"does not exist; {_RELATIVE}, and a name without a slash is looked for on PATH"
        else:
            fault = None if os.access(file, os.X_OK) else "may not be run; make it executable (chmod +x)"
        if fault:
            problems.add(word.mark, f"`{key}` starts `{name_text(word.text)}`, which {fault}")


def _traces_problem(directory: Path, name: str) -> str | None:
    if not name:
        return None
    file, of = directory / name, f"`traces` names `{name_text(name)}`, which"
    if file.is_dir():
        return f"{of} is a folder; write the path of a JSONL file in it"
    try:
        with file.open("rb") as stream:
            stream.read(1)
    except FileNotFoundError:
        return f"{of} does not exist; {_RELATIVE}; `raggate-action record --out` writes such a file"
    except OSError as error:
        return f"{of} {unreadable(error)}"
    return None
