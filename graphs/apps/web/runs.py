"""The pages of the runs: the answer, what happened to every passage, runs side by side."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Form, Query
from fastapi.responses import Response
from pydantic import BaseModel, Field
from pyroaring import BitMap

from agent.errors import HeadcountError, RunError
from agent.evidence import Judgement
from agent.question import atoms
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
from graphs.apps.web.items import ItemsAsked, items_shown, paged
from graphs.apps.web.jobs import Flags, Job, set_flags
from graphs.apps.web.pages import AtRun, Dollars, RunAddress, Suggested, go
from graphs.apps.why import cause_text, place, state_text, story_lines
from graphs.nodes.clarify import understood
from graphs.runs.run_session import Event
from graphs.sessions import Session
from tools.corpus.corpus import Corpus
from tools.runs.coverage_ledger import Account, Part

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
    again: Annotated[Judgement | None, Form()] = None,
) -> Response:
    """Go on with a run, or audit on; a review asks for the verdicts that are `again` once more."""
    flags: Flags = {"max_usd": max_usd, "audit": audit}
    seen = at.seen
    info = seen.info
    if info.model == "person":
        reading = seen.answer.interpretation if seen.answer else None
        texts = [each.text for each in atoms(reading.conditions if reading else None)]
        job, flags = at.anew().job(info.question), seen.limits | set_flags(flags)
        verbatim = texts == [info.question]
        return go(at.pages.jobs.review(job, flags, verbatim=verbatim, again=again).page)
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


class PassagesAsked(BaseModel):
    """Which passages are asked for; the form and the links of the ledger name it so."""

    passage: str = ""
    """The one whose story is told."""
    under: Annotated[int, Field(ge=0)] = 0
    """The condition, counted over all interpretations."""
    state: str = ""
    """Those that stand so under it are listed."""
    page: int = 1


@router.get("/corpora/{corpus}/runs/{run}/ledger", name="ledger")
def ledger(at: AtRun, asked: Annotated[PassagesAsked, Query()]) -> Response:
    """Show what happened to the passages: to all, to those in a state, to one of them, and why."""
    lines: list[str] = []
    problem = ""
    with at.opened() as opened:
        answer = answer_so_far(opened)
        try:
            lines = story_lines(opened, asked.passage) if asked.passage else []
        except HeadcountError as error:
            problem = str(error)
        accounts = accounts_of(opened, answer)
        return at.pages.render(
            "ledger.html",
            name=at.corpus,
            run=at.run,
            question=opened.info.question,
            asked=asked,
            problem=problem,
            lines=lines,
            answer=answer,
            sections=sections(answer, opened.corpus, accounts),
            listed=_listed(accounts, opened.corpus, asked),
            history=opened.state.history,
            facts=run_facts(opened),
        )


def _listed(
    accounts: Sequence[Account], corpus: Corpus, asked: PassagesAsked
) -> dict[str, Any] | None:
    """Return the states under a condition, and a page of the passages in one; None without any."""
    under = [
        (each, condition)
        for each in accounts
        for condition in dict.fromkeys(part.condition for part in each.parts)
    ]
    if asked.under >= len(under):
        return None
    (account, condition), states = under[asked.under], dict[str, list[Part]]()
    for part in account.parts:
        if part.condition == condition:
            states.setdefault(state_text(part.standing, account.causes), []).append(part)
    chosen = states.get(asked.state, [])
    ids = BitMap.union(BitMap(), *(part.ids for part in chosen))
    pages, page, here = paged(len(ids), asked.page)

    def row(chunk: int) -> dict[str, object]:
        """Say where a passage stands, its words, and what put it into its state."""
        by = next(part.standing for part in chosen if chunk in part.ids)
        told = {"words": corpus.chunk_text(chunk), "by": cause_text(by, account.causes)}
        return place(chunk, corpus) | told

    counts = {told: sum(len(part.ids) for part in parts) for told, parts in states.items()}
    shown = list(map(row, ids[here]))
    return {"states": counts, "found": len(ids), "pages": pages, "page": page, "shown": shown}


@router.get("/corpora/{corpus}/runs/{run}/export/{suffix}", name="export")
def export(at: AtRun, suffix: str) -> Response:
    """Send a run as a file."""
    with at.opened() as opened:
        content = run_bytes(opened, f".{suffix}")
        name = quote(file_name(opened.info.question, at.run, suffix))
    named = {"Content-Disposition": f"attachment; filename*=utf-8''{name}"}
    return Response(content, media_type="application/octet-stream", headers=named)
