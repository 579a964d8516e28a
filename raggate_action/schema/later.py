"""Records that are loaded only where a value of them is read, since most runs have none."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema, to_json


class Later:
    """What pydantic reads, writes and describes a record by, without loading it before there is a value."""

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = f"raggate_action.schema.{module}", name

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self._read)

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        kind = self.record()
        kind.model_rebuild()
        # Behind a list of definitions a record is one of them.
        return handler(core_schema.definitions_schema(kind.__pydantic_core_schema__, []))

    def record(self) -> type[BaseModel]:
        """The record itself, loaded by now."""
        kind: type[BaseModel] = getattr(import_module(self._module), self._name)
        return kind

    def _read(self, value: Any, info: core_schema.ValidationInfo) -> BaseModel:
        kind = self.record()
        # JSON has no tuples: read as Python, a list would be refused for one.
        return kind.model_validate_json(to_json(value)) if info.mode == "json" else kind.model_validate(value)


# Imported from here, a record says what type a field or an argument has; whoever makes one imports it where it stands.
if TYPE_CHECKING:
    from raggate_action.schema.ab import Ab, Arm, Rubric
    from raggate_action.schema.ab_result import Aggregate
    from raggate_action.schema.ab_run import AbRun, SharedLabs, StartedAb
    from raggate_action.schema.answer_votes import AnswerVotes, ByRules, ItemOpinion, JudgedItem
    from raggate_action.schema.audit import AuditReport
    from raggate_action.schema.calibration import ErrorRate, HeldAnswer, JudgeCard, LabelledAnswer, TrialJob
    from raggate_action.schema.comparison import (
        BaselineAmounts,
        Comparison,
        GateDelta,
        GoneSources,
        NamedCase,
        NewSources,
        NotJudgedAgain,
        RepeatedSentence,
    )  # fmt: skip
    from raggate_action.schema.judgement import (
        About,
        AskedJudge,
        ClaimVote,
        ItemSaid,
        JudgedVerdict,
        Judgement,
        Lost,
        LostCode,
        PointVote,
        Unarmed,
    )  # fmt: skip
    from raggate_action.schema.judges import JudgeBudget, Judges, Member
    from raggate_action.schema.judging_counts import ClaimAdvice, JudgingCounts
    from raggate_action.schema.main_answers import (
        AnswerAlone,
        BesideMain,
        MainAnswer,
        MainAnswers,
        OwnRate,
        PoorerAnswers,
        PoorerCase,
        PoorerReason,
        PoorerState,
    )  # fmt: skip
    from raggate_action.schema.origin import BaselineNote, Origin, Publication
    from raggate_action.schema.panel import Panel, PanelRules
    from raggate_action.schema.partial_scope import Before, PartialScope, Scope
    from raggate_action.schema.stored_suite import StoredSuite
    from raggate_action.schema.suite_comparison import RemovedCase, SuiteChange, SuiteComparison
    from raggate_action.schema.waived import WaivedFailure, Waiver
else:
    _RECORDS = {
        "ab": "Ab Arm Rubric",
        "ab_result": "Aggregate",
        "ab_run": "AbRun SharedLabs StartedAb",
        "answer_votes": "AnswerVotes ByRules ItemOpinion JudgedItem",
        "audit": "AuditReport",
        "calibration": "ErrorRate HeldAnswer JudgeCard LabelledAnswer TrialJob",
        "comparison": "BaselineAmounts Comparison GateDelta GoneSources NamedCase NewSources NotJudgedAgain"
        " RepeatedSentence",
        "judgement": "About AskedJudge ClaimVote ItemSaid JudgedVerdict Judgement Lost LostCode PointVote Unarmed",
        "judges": "JudgeBudget Judges Member",
        "judging_counts": "ClaimAdvice JudgingCounts",
        "main_answers": "AnswerAlone BesideMain MainAnswer MainAnswers OwnRate PoorerAnswers PoorerCase"
        " PoorerReason PoorerState",
        "origin": "BaselineNote Origin Publication",
        "panel": "Panel PanelRules",
        "partial_scope": "Before PartialScope Scope",
        "stored_suite": "StoredSuite",
        "suite_comparison": "RemovedCase SuiteChange SuiteComparison",
        "waived": "WaivedFailure Waiver",
    }
    for module, names in _RECORDS.items():
        globals().update({name: Annotated[Any, Later(module, name)] for name in names.split()})
