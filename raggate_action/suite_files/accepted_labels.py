"""Labels that `accept` has written: a file beside the suite, merged into its cases when they are read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from raggate_action.schema.case import Case
from raggate_action.suite_files.file_reading import read_data_file
from raggate_action.suite_files.located_records import node_text, read_record, unknown_key
from raggate_action.suite_files.located_tree import Entry, MappingNode, Scalar, mark_at
from raggate_action.suite_files.problems import Mark, Problems, name_text, nearest_word_or

ACCEPTED = "gate/accepted.yaml"
_LABELS = ("required_source_ids", "required_quotes", "required_points", "expect")
_HEAD = "# Labels that `raggate-action accept` took from answers; review them, edit or delete the wrong ones.\n"


class AcceptedLabels:
    """The accepted labels of a suite.

    Attributes:
        path: Their file.
        problems: What is wrong in it.
        by_id: The labels of each case by field.
    """

    def __init__(self, suite: Path, problems: Problems) -> None:
        self.path = suite.parent / ACCEPTED
        self.problems = problems.within(self.path)
        root = read_data_file(self.path, self.problems) if self.path.is_file() else None
        self._entries = root.entries if isinstance(root, MappingNode) else {}
        self.by_id = {case_id: self._labels(case_id, entry) for case_id, entry in self._entries.items()}
        if not (root is None or isinstance(root, MappingNode) or (isinstance(root, Scalar) and root.value is None)):
            self.problems.add(root.mark, f"this is {node_text(root)}; write case ids, each with its labels")

    def _labels(self, case_id: str, entry: Entry) -> dict[str, object]:
        node = entry.node
        if entry.key_mark.column != 1:
            self.problems.add(entry.key_mark, f"`{name_text(case_id)}` stands within a line; begin a line with each id")
        if isinstance(node, MappingNode):
            known = {name: label for name, label in node.entries.items() if name in _LABELS}
            for name, label in node.entries.items():
                if name not in known:
                    self.problems.add(label.key_mark, unknown_key(name, _LABELS))
            of_case = Entry(entry.key_mark, Scalar(case_id, case_id, entry.key_mark))
            node = MappingNode({**known, "case_id": of_case, "question": of_case}, node.mark)
        read = read_record(Case, node, self.problems)
        return {name: getattr(read, name) for name in _LABELS if read is not None and name in read.model_fields_set}

    def mark(self, case_id: str, *path: int | str) -> Mark:
        """Where the labels of a case stand, or one of them."""
        return mark_at(self._entries[case_id].node, *path) if path else self._entries[case_id].key_mark

    def place(self, case_id: str, *path: int | str) -> str:
        """The same as `file:line`."""
        return f"{self.problems.file}:{self.mark(case_id, *path).line}"

    def unknown(self, case_ids: Collection[str]) -> Iterator[str]:
        """A remark on each case that has labels and is none of these."""
        for case_id in (each for each in self.by_id if each not in case_ids):
            end = nearest_word_or(case_id, case_ids, otherwise="delete them if the case was taken out")
            yield f"{self.place(case_id)}: labels of `{name_text(case_id)}`, which is no case of the suite; {end}"

    def with_entries(self, new: Mapping[str, str]) -> str:
        """The text of the file with these entries, each in place of the whole one that was there, or at the end."""
        text = self.path.read_bytes().decode() if self._entries else _HEAD
        lines = text.splitlines(keepends=True)
        end = len(lines)
        for case_id, entry in reversed(self._entries.items()):
            start = entry.key_mark.line - 1
            if case_id in new:
                # Comments above the next entry belong to that.
                while not (last := lines[end - 1].strip()) or last.startswith("#"):
                    end -= 1
                lines[start:end] = [new[case_id]]
            end = start
        if not lines[-1].endswith("\n"):
            lines.append("\n")
        return "".join([*lines, *[entry for case_id, entry in new.items() if case_id not in self._entries]])
