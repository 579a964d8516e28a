"""What users write, made into records: suite, case and evidence files, with every mistake named where it stands.

May import `schema` and the ground; not the targets, of which only the section in the file is known here.
"""

from __future__ import annotations

from raggate_action.suite_files.case_files import CaseEntry, CaseFiles
from raggate_action.suite_files.loading import LoadedSuite, load_suite

__all__ = ["CaseEntry", "CaseFiles", "LoadedSuite", "load_suite"]
