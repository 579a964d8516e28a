"""Suite, case and evidence files, read into records; every mistake is reported with its place.

May import `schema` and the ground; not the targets, of which only the section in the file is known here.
"""

from __future__ import annotations

from raggate_action.suite_files.cases import Cases
from raggate_action.suite_files.loading import LoadedSuite, case_files, load_suite

__all__ = ["Cases", "LoadedSuite", "case_files", "load_suite"]
