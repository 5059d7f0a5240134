"""The pages of the runs: the answer, what happened to every passage, runs side by side."""

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Form, Query
from fastapi.responses import Response

from agent.errors import HeadcountError, RunError
from graphs.apps.export import file_name
from graphs.apps.page import (
    accounts_of,
    answer_so_far,
    around,
    run_bytes,
    run_facts,
    sections,
    title,
)
from graphs.apps.web.items import ItemsAsked, items_shown
from graphs.apps.web.jobs import Flags, Job
from graphs.apps.web.pages import AtRun, Dollars, RunAddress, Suggested, go
from graphs.apps.why import story_lines
from graphs.nodes.clarify import understood
from graphs.runs.run_session import Event
from graphs.sessions import Session

_EXPORTS = {"html": "Report", "xlsx": "Excel", "csv": "CSV", "md": "Markdown", "json": "JSON"}
router = APIRouter()


@router.get("/corpora/{corpus}/runs/{run}", name="run")
def shown(at: AtRun, items: Annotated[ItemsAsked, Query()]) -> Response:
    """Show a run: what goes on, or its answer."""
    return run_page(at, items)


def run_page(at: RunAddress, items: ItemsAsked, suggested: Suggested | None = None) -> Response:
    """Render a run, its items found and sorted; with criteria that are suggested for it."""
    pages, opened = at.pages, at.pages.corpora.corpus(at.corpus)
    found = pages.jobs.get(at.run)
    job = found.as_it_is() if found is not None and found.corpus == at.corpus else None
    given: dict[str, Any] = {"job": job, "seen": None, "items": None}
    try:
        seen = None if job and job.alive else at.seen
    except RunError:
        if job is None:
            raise
        seen = None  # it failed before anything was kept
    if job is not None and seen is None:
        given["question"] = job.title
    elif seen is not None:
        given |= {"seen": seen, "question": seen.info.question}
        if seen.answer is not None and not seen.answer.readings:
            given["items"] = items_shown(seen.answer, seen.marked, items)
    return pages.render(
        "run.html",
        name=at.corpus,
        run=at.run,
        suggested=suggested,
        paid=pages.readers()[1],
        exports=_EXPORTS,
        around=partial(around, opened),
        title=partial(title, opened),
        source=pages.source(at.corpus, at.run),
        **given,
    )


@router.post("/corpora/{corpus}/runs/{run}/reply", name="reply")
def reply(at: AtRun, reply: Annotated[str, Form()]) -> Response:
    """Answer what a run asks."""

    def events(session: Session, job: Job) -> Iterator[Event]:
        asked = session.state(at.run).clarification
        given = "nothing is asked" if asked is None else understood(reply, asked)
        if isinstance(given, str):
            raise RunError(given)
        return session.reply(at.run, given, confirm=job.confirm)

    at.go_on(events)
    return go(at.page)


@router.post("/corpora/{corpus}/runs/{run}/resume", name="resume")
def resume(
    at: AtRun,
    max_usd: Annotated[Dollars, Form()] = None,
    audit: Annotated[int | None, Form(ge=0)] = None,
) -> Response:
    """Go on with a run, or audit on."""
    flags: Flags = {"max_usd": max_usd, "audit": audit}
    info = at.seen.info
    if info.model == "person":
        return go(at.pages.jobs.review(at.anew().job(info.question), flags).page)
    at.go_on(lambda session, _: session.resume(at.run), flags)
    return go(at.page)


@router.post("/corpora/{corpus}/runs/{run}/check", name="check")
def check(
    at: AtRun,
    found: Annotated[int, Form(ge=0)] = 40,
    others: Annotated[int, Form(ge=0)] = 0,
    within: Annotated[float | None, Form(ge=0)] = None,
) -> Response:
    """Begin to check what a run found."""
    name = f"check-{at.run}"
    job = Job(name, f"Check: {at.seen.info.question}", at.pages.url("job", job=name), at.corpus)
    return go(at.pages.jobs.check(at.run, job, (found, others), within).page)


@router.get("/corpora/{corpus}/runs/{run}/ledger", name="ledger")
def ledger(at: AtRun, passage: str = "") -> Response:
    """Show what happened to the passages, and to one of them, and why."""
    lines: list[str] = []
    problem = ""
    with at.opened() as opened:
        answer = answer_so_far(opened)
        try:
            lines = story_lines(opened, passage) if passage else []
        except HeadcountError as error:
            problem = str(error)
        return at.pages.render(
            "ledger.html",
            name=at.corpus,
            run=at.run,
            question=opened.info.question,
            passage=passage,
            problem=problem,
            lines=lines,
            answer=answer,
            sections=sections(answer, opened.corpus, accounts_of(opened, answer)),
            history=opened.state.history,
            facts=run_facts(opened),
        )


@router.get("/corpora/{corpus}/runs/{run}/export/{suffix}", name="export")
def export(at: AtRun, suffix: str) -> Response:
    """Send a run as a file."""
    with at.opened() as opened:
        content = run_bytes(opened, f".{suffix}")
        name = quote(file_name(opened.info.question, at.run, suffix))
    named = {"Content-Disposition": f"attachment; filename*=utf-8''{name}"}
    return Response(content, media_type="application/octet-stream", headers=named)
