"""What users write, made into records: suite, case and evidence files, with every mistake named where it stands.

May import `schema` and the ground; not the targets, of which only the section in the file is known here.
"""

from __future__ import annotations

from raggate_action.suite_files.cases import Cases
from raggate_action.suite_files.loading import LoadedSuite, case_files, load_suite

__all__ = ["Cases", "LoadedSuite", "case_files", "load_suite"]
