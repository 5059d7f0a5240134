"""The pages of the runs: the answer, what happened to every passage, runs side by side."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query
from fastapi.responses import Response

from agent.answer import Answer
from agent.errors import HeadcountError, RunError
from agent.question import atoms
from graphs.apps.export import view_of, write
from graphs.apps.page import accounts_of, answer_so_far, quoting, run_facts, sections
from graphs.apps.stored_runs import stored_run
from graphs.apps.web.items import items_shown
from graphs.apps.web.jobs import Flags, Job
from graphs.apps.web.pages import LISTED, Pages, Shared, Suggested, dollars, go
from graphs.apps.why import story_lines
from graphs.context import new_run_id

_EXPORTS = ("csv", "xlsx", "json", "md")
router = APIRouter()


@router.get("/corpora/{corpus}/runs/{run}", name="run")
def shown(
    pages: Shared, corpus: str, run: str, q: str = "", only: str = "", sort: str = "", page: int = 1
) -> Response:
    """Show a run: what goes on, or its answer."""
    return run_page(pages, corpus, run, q=q, only=only, sort=sort, page=page)


def run_page(
    pages: Pages,
    corpus: str,
    run: str,
    *,
    suggested: Suggested | None = None,
    **items: Any,
) -> Response:
    """Render a run, its items found and sorted; with criteria that are suggested for it."""
    found = pages.jobs.get(run)
    job = found.as_it_is() if found is not None and found.corpus == corpus else None
    given: dict[str, Any] = {"job": job, "seen": None, "items": None}
    try:
        seen = None if job and job.alive else pages.seen(corpus, run)
    except RunError:
        if job is None:
            raise
        seen = None  # it failed before anything was kept
    if job is not None and seen is None:
        given["question"] = job.title
    elif seen is not None:
        given |= {"seen": seen, "question": seen.info.question}
        if seen.answer is not None and not seen.answer.readings:
            at = pages.url("run", corpus=corpus, run=run)
            given["items"] = items_shown(seen.answer, seen.marked, at=at, **items)
    return pages.render(
        "run.html",
        name=corpus,
        run=run,
        suggested=suggested,
        paid=pages.readers()[1],
        exports=_EXPORTS,
        around=quoting(pages.corpora.corpus(corpus)),
        source=pages.source(corpus, run),
        **given,
    )


@router.post("/corpora/{corpus}/runs/{run}/reply", name="reply")
def reply(pages: Shared, corpus: str, run: str, reply: Annotated[str, Form()]) -> Response:
    """Answer what a run asks."""
    page = pages.url("run", corpus=corpus, run=run)
    info = pages.seen(corpus, run).info
    job = Job(run, info.question, page, corpus)
    pages.jobs.go_on(pages.corpora.place(corpus), job, info.model, {}, reply)
    return go(page)


@router.post("/corpora/{corpus}/runs/{run}/resume", name="resume")
def resume(
    pages: Shared,
    corpus: str,
    run: str,
    max_usd: Annotated[str, Form()] = "",
    audit: Annotated[int | None, Form(ge=0)] = None,
) -> Response:
    """Go on with a run that is not finished, or audit on; a review goes over what was judged."""
    flags: Flags = {"max_usd": dollars(max_usd), "audit": audit}
    seen, place = pages.seen(corpus, run), pages.corpora.place(corpus)
    if seen.info.model == "person":
        again = new_run_id()
        page = pages.url("run", corpus=corpus, run=again)
        reading = seen.answer.interpretation if seen.answer else None
        texts = [each.text for each in atoms(reading.conditions if reading else None)]
        as_it_stands = texts == [seen.info.question]
        job = Job(again, seen.info.question, page, corpus)
        return go(pages.jobs.review(place, job, flags, verbatim=as_it_stands).page)
    page = pages.url("run", corpus=corpus, run=run)
    job = Job(run, seen.info.question, page, corpus)
    pages.jobs.go_on(place, job, seen.info.model, flags)
    return go(page)


@router.post("/corpora/{corpus}/runs/{run}/check", name="check")
def check(
    pages: Shared,
    corpus: str,
    run: str,
    found: Annotated[int, Form(ge=0)] = 40,
    others: Annotated[int, Form(ge=0)] = 0,
) -> Response:
    """Begin to check what a run found."""
    place = pages.corpora.place(corpus)
    question = pages.seen(corpus, run).info.question
    name = f"check-{run}"
    job = Job(name, f"Check: {question}", pages.url("job", job=name), corpus)
    return go(pages.jobs.check(place, run, job, found=found, others=others).page)


@router.get("/corpora/{corpus}/runs/{run}/ledger", name="ledger")
def ledger(pages: Shared, corpus: str, run: str, passage: str = "") -> Response:
    """Show what happened to the passages; to one of them, and why."""
    lines: list[str] = []
    problem = ""
    with stored_run(pages.corpora.corpus(corpus), run) as opened:
        answer = answer_so_far(opened)
        try:
            lines = story_lines(opened, passage) if passage else []
        except HeadcountError as error:
            problem = str(error)
        return pages.render(
            "ledger.html",
            name=corpus,
            run=run,
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
def export(pages: Shared, corpus: str, run: str, suffix: str) -> Response:
    """Send a run as a file."""
    with stored_run(pages.corpora.corpus(corpus), run) as opened:
        content = write(view_of(opened), f".{suffix}")
    named = {"Content-Disposition": f'attachment; filename="{run}.{suffix}"'}
    return Response(content, media_type="application/octet-stream", headers=named)


@router.get("/corpora/{corpus}/compare", name="compare")
def compare(
    pages: Shared, corpus: str, run: Annotated[list[str] | None, Query()] = None
) -> Response:
    """Show the documents that several runs found, side by side."""
    chosen = [pages.seen(corpus, each).answer for each in run or ()]
    columns = [each for each in chosen if each is not None]
    if not columns:
        raise RunError("choose questions that have an answer")
    rows = _matrix(pages, corpus, columns)
    return pages.render(
        "compare.html", name=corpus, columns=columns, rows=rows[:LISTED], found=len(rows)
    )


def _matrix(
    pages: Pages, corpus: str, columns: Sequence[Answer]
) -> list[tuple[str, list[dict[str, str] | None]]]:
    """Return by document, for each answer, its first quote there with its address."""
    cells: dict[str, list[dict[str, str] | None]] = {}
    for at, answer in enumerate(columns):
        source = pages.source(corpus, answer.run)
        for entity in answer.entities:
            for name in entity.documents:
                row = cells.setdefault(name, [None] * len(columns))
                shown = next((each for each in entity.evidence if each.document == name), None)
                row[at] = row[at] or {
                    "quote": shown.quote if shown else "",
                    "url": source(shown)
                    if shown
                    else pages.url("run", corpus=corpus, run=answer.run),
                }
    return sorted(cells.items())
