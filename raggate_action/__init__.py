"""raggate: a release gate for RAG applications. What Python programs use of it is named here; see `docs/python.md`.

    from raggate_action import run_suite

    result = run_suite("raggate.yaml", target=my_app)
    assert result.decision == "release", result.comment()

Importing the package loads nothing but its version: a name's module is loaded when the name is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from raggate_action.version import __version__

__all__ = [
    "DecidedRun",
    "LoadedPanel",
    "RaggateError",
    "Source",
    "__version__",
    "audit_answer",
    "audit_answer_async",
    "load_panel",
    "read_run",
    "run_suite",
]

if TYPE_CHECKING:
    from raggate_action.errors import RaggateError
    from raggate_action.python_api import DecidedRun, read_run, run_suite
    from raggate_action.run.audit.answer_audit import audit_answer, audit_answer_async
    from raggate_action.run.audit.judged_audit import LoadedPanel, load_panel
    from raggate_action.run.audit.keyless_audit import Source
else:
    # Hidden from type checkers, which would take every misspelt name for one that this function knows.
    _MODULES = {
        "DecidedRun": "python_api",
        "LoadedPanel": "run.audit.judged_audit",
        "RaggateError": "errors",
        "Source": "run.audit.keyless_audit",
        "audit_answer": "run.audit.answer_audit",
        "audit_answer_async": "run.audit.answer_audit",
        "load_panel": "run.audit.judged_audit",
        "read_run": "python_api",
        "run_suite": "python_api",
    }

    def __getattr__(name: str) -> object:
        """The public name, from the module it lives in (PEP 562)."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)

    def __dir__() -> list[str]:
        """Every public name, loaded or not."""
        return sorted({*globals(), *__all__})
