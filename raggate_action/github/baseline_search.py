"""Finding the base branch's run: the calls around the choice, and its artifact opened.

An ordinary pull request takes five requests: a page of artifacts, a page of commits, one run, and a download that the
API redirects to its store. The worst case is `MOST_REQUESTS`; tries after a 5xx or a rate limit come on top, and
`Connection` bounds the waiting between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import datetime
from typing import Final, Generic, NamedTuple, TypeVar

from raggate_action.errors import ArtifactError, OldRunError, RaggateError
from raggate_action.github.api import ARTIFACT_PAGES, COMMIT_PAGES, MOST_ARTIFACTS, GitHubApi
from raggate_action.github.archive import LARGEST_ZIP, Archive, open_archive, see_digest
from raggate_action.github.artifact_download import STORE_HOPS
from raggate_action.github.baseline_choice import (
    LOOKED_AT,
    BaselineRefusal,
    BaselineSearch,
    Hurdle,
    Prospect,
    age_days,
    name_and_commit,
    refuse_run,
    sentence,
    shortlist,
    stored_by,
    warning_of,
    workflow_file,
)
from raggate_action.github.pygithub_client import GitHubFault
from raggate_action.schema.origin import BaselineNote

# What the environment did not say, the list, the commits before the commit wanted and then before the merge base,
# and for each artifact its run, its address and what the store redirects to.
MOST_REQUESTS: Final = 2 + ARTIFACT_PAGES + COMMIT_PAGES + 1 + COMMIT_PAGES + LOOKED_AT * (2 + STORE_HOPS)

_GONE = frozenset({404, 410})
_LONGEST_REASON = 150
_PERMISSIONS = "permissions: {actions: read, contents: read}"

Content = TypeVar("Content")


class FoundBaseline(NamedTuple, Generic[Content]):
    """A baseline, or that there is none.

    Attributes:
        note: How it was found; without one its `missing` says why.
        archive: Its files; the caller closes it.
        content: What the caller's reading made of it.
    """

    note: BaselineNote
    archive: Archive | None = None
    content: Content | None = None


def find_baseline(
    api: GitHubApi, search: BaselineSearch, *, now: datetime, read: Callable[[Archive, str], Content]
) -> FoundBaseline[Content]:
    """Find the run to compare with. Nothing that GitHub does makes this raise.

    Args:
        api: The repository.
        search: What is looked for. A repository id of 0 and an empty workflow are asked for.
        now: For the baseline's age.
        read: Reads an archive of a run of a commit; any `RaggateError` refuses it, and the next best is tried, at most
            five in all. An archive that is refused is closed.
    """
    try:
        return _search(api, search, now, read)
    except GitHubFault as fault:
        needs = f" The job needs {_PERMISSIONS}." if fault.status == 403 and not fault.is_rate_limit else ""
        missing = f"The baseline could not be fetched: {_cut(fault.message)}.{needs}"
        return FoundBaseline(BaselineNote(branch=search.branch, missing=missing))


def _search(
    api: GitHubApi, search: BaselineSearch, now: datetime, read: Callable[[Archive, str], Content]
) -> FoundBaseline[Content]:
    # The fields that an older runner's environment lacks.
    if not search.repository_id:
        search = search._replace(repository_id=api.repository_id())
    if not search.workflow:
        search = search._replace(workflow=workflow_file(api.workflow_run(search.run_id)))
    artifacts = api.artifacts_named(search.artifact)
    if not artifacts:
        return FoundBaseline(BaselineNote(branch=search.branch, missing=sentence(search, [])))
    first_parents = api.first_parents(search.sha)
    choice = shortlist(search, artifacts, first_parents)
    if not choice.prospects and any(refusal.hurdle == Hurdle.NOT_BEFORE for refusal in choice.refusals):
        # A commit of another branch, which took the base branch in by a merge: not by its first parents.
        base = api.merge_base(search.branch, search.sha)
        if base is not None and base not in first_parents:
            first_parents = api.first_parents(base)
            choice = shortlist(search, artifacts, first_parents)
    refusals = [*choice.refusals]
    for prospect in choice.prospects:
        found = _looked_into(api, search, prospect, now=now, refusals=refusals, read=read)
        if not isinstance(found, BaselineRefusal):
            return found
        refusals.append(found)
    whole = len(artifacts) < MOST_ARTIFACTS
    missing = sentence(search, refusals, first_parents=len(first_parents), whole=whole)
    return FoundBaseline(BaselineNote(branch=search.branch, missing=missing))


def _looked_into(
    api: GitHubApi,
    search: BaselineSearch,
    prospect: Prospect,
    *,
    now: datetime,
    refusals: Sequence[BaselineRefusal],
    read: Callable[[Archive, str], Content],
) -> FoundBaseline[Content] | BaselineRefusal:
    artifact = prospect.artifact

    def refused(hurdle: Hurdle, why: str = "") -> BaselineRefusal:
        return BaselineRefusal(hurdle, artifact, why, prospect.distance)

    with ExitStack() as stack:
        try:
            run = api.workflow_run(stored_by(artifact)["id"])
            if (refusal := refuse_run(search, prospect, run)) is not None:
                return refusal
            file = stack.enter_context(api.download_artifact(artifact.id, max_bytes=LARGEST_ZIP))
        except GitHubFault as fault:
            if fault.status in _GONE:
                return refused(Hurdle.GONE)
            raise
        try:
            see_digest(file, artifact.digest, name_and_commit(artifact))
            archive = stack.enter_context(open_archive(file, name_and_commit(artifact)))
            age = age_days(artifact, now)
            note = BaselineNote(
                branch=search.branch,
                head_sha=run.head_sha,
                workflow_run_id=run.id,
                distance=prospect.distance,
                age_days=age,
                warning=warning_of(search, prospect, run, age=age, refusals=refusals),
            )
            found = FoundBaseline(note, archive, read(archive, run.head_sha))
        except OldRunError:
            return refused(Hurdle.OUTDATED)
        except RaggateError as error:
            # Of an archive, what to do about it is part of the sentence.
            hint = f" ({error.hint.rstrip('.')})" if isinstance(error, ArtifactError) else ""
            return refused(Hurdle.UNUSABLE, f"{_cut(str(error))}{hint}")
        stack.pop_all()
        return found


def _cut(text: str) -> str:
    text = text.rstrip(".")
    return text if len(text) <= _LONGEST_REASON else f"{text[:_LONGEST_REASON]}…"
