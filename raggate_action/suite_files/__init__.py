"""What users write, made into records: suite, case and evidence files, with every mistake told where it stands."""

from __future__ import annotations

from raggate_action.suite_files.case_files import CaseEntry, CaseFiles
from raggate_action.suite_files.loading import LoadedSuite, load_suite

__all__ = ["CaseEntry", "CaseFiles", "LoadedSuite", "load_suite"]
