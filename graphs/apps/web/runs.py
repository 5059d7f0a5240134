"""The pages of the runs: what goes on, the answer, what counts, the ledger, runs side by side."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from json import dumps
from typing import Annotated, Any, Final, get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Form, Header, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from agent.answer import Answer
from agent.errors import HeadcountError, RunError, SettingsError
from agent.evidence import Entity
from agent.interpretation import order_of
from agent.question import CRITERIA
from agent.replies import AtomReply, InterpretReply
from graphs.answering.headline import headline
from graphs.apps.criteria_file import read_of
from graphs.apps.export import Mark
from graphs.apps.page import (
    accounts_of,
    answer_so_far,
    around,
    run_bytes,
    run_facts,
    sections,
    title,
)
from graphs.apps.terminal import printable
from graphs.apps.web.jobs import Flags, Job
from graphs.apps.web.pages import AtRun, Dollars, Pages, RunAddress, Shared, go
from graphs.apps.why import story_lines
from graphs.nodes.clarify import understood
from graphs.runs.run_session import Event
from graphs.sessions import Session

_EXPORTS = {"html": "Report", "xlsx": "Excel", "csv": "CSV", "md": "Markdown", "json": "JSON"}
_MARKS: Final[tuple[Mark, ...]] = get_args(Mark)
_A_PAGE: Final = 100
ORDERS: Final[dict[str, Callable[[Entity], tuple[bool, float, str]]]] = {
    "name": lambda each: (False, 0.0, each.name.casefold()),
    "value": lambda each: (each.value is None, _number(each), each.name.casefold()),
    "value, falling": lambda each: (each.value is None, -_number(each), each.name.casefold()),
}
CANDIDATE: Final = "not read: a candidate"
router = APIRouter()


class ItemsAsked(BaseModel):
    """What of the items is asked for; the form and the links of the page name it so."""

    q: str = ""
    only: str = ""
    sort: str = ""
    page: int = 1


@dataclass(frozen=True, slots=True)
class ItemsShown:
    """A page of the items, with what was asked for."""

    asked: ItemsAsked
    all: int
    found: int
    pages: int
    page: int
    shown: Sequence[tuple[Entity, str]]
    certain: bool
    """Whether every item of the answer is certain: then none has to say so."""
    marks: Sequence[str] = ("all", *_MARKS)

    def query(self, page: int) -> str:
        """Return what asks for another page of the same."""
        asked = self.asked.model_dump() | {"page": page}
        return urlencode({name: value for name, value in asked.items() if value})


@router.get("/corpora/{corpus}/runs/{run}", name="run")
def shown(at: AtRun, items: Annotated[ItemsAsked, Query()]) -> Response:
    """Show a run: what goes on, or its answer, the items found and sorted."""
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
) -> Response:
    """Begin to check what a run found."""
    name = f"check-{at.run}"
    job = Job(name, f"Check: {at.seen.info.question}", at.pages.url("job", job=name), at.corpus)
    return go(at.pages.jobs.check(at.run, job, (found, others)).page)


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
            sections=sections(answer, accounts_of(opened, answer)),
            history=opened.state.history,
            facts=run_facts(opened),
        )


@router.get("/corpora/{corpus}/runs/{run}/export/{suffix}", name="export")
def export(at: AtRun, suffix: str) -> Response:
    """Send a run as a file."""
    with at.opened() as opened:
        content = run_bytes(opened, f".{suffix}")
    named = {"Content-Disposition": f"attachment; filename={at.run}.{suffix}"}
    return Response(content, media_type="application/octet-stream", headers=named)


def _number(entity: Entity) -> float:
    return float(entity.value) if isinstance(entity.value, int | float) else 0.0


def items_shown(answer: Answer, marked: dict[str, Mark], asked: ItemsAsked) -> ItemsShown:
    """Return the page of items that is asked for; words are sought in names and quotes."""
    sought, only = asked.q.casefold().split(), asked.only
    found = [
        each
        for each in answer.entities
        if only in {"", "all", marked.get(each.name)} and all(_has(each, word) for word in sought)
    ]
    if asked.sort in ORDERS:
        found.sort(key=ORDERS[asked.sort])
    pages, page, part = paged(len(found), asked.page)
    shown = [(each, marked.get(each.name, "")) for each in found[part]]
    is_certain = {*marked.values()} == {"certain"}
    return ItemsShown(asked, len(answer.entities), len(found), pages, page, shown, is_certain)


def paged(count: int, page: int) -> tuple[int, int, slice]:
    """Return how many pages a list has, the one of them that is shown, and its part of the list."""
    pages = max(1, -(-count // _A_PAGE))
    page = min(max(page, 1), pages)
    return pages, page, slice((page - 1) * _A_PAGE, page * _A_PAGE)


def _has(entity: Entity, word: str) -> bool:
    texts = (entity.name, *entity.aliases, *entity.documents)
    return any(word in text.casefold() for text in texts) or any(
        word in each.quote.casefold() for each in entity.evidence
    )


async def _filled(request: Request) -> Mapping[str, str]:
    return {name: str(value) for name, value in (await request.form()).items()}


def _edited(at: AtRun, filled: Annotated[Mapping[str, str], Depends(_filled)]) -> InterpretReply:
    with at.opened() as opened:
        order = order_of(read_of(opened))
    conditions = [_atom(each, filled) for each in order.conditions]
    return order.model_copy(update={"conditions": conditions})


Edited = Annotated[InterpretReply, Depends(_edited)]


def _atom(atom: AtomReply, filled: Mapping[str, str]) -> AtomReply:
    if f"text-{atom.id}" not in filled:
        return atom
    lines = {name: filled.get(f"{name}-{atom.id}", "").splitlines() for name in CRITERIA}
    lists = {name: [*filter(None, map(str.strip, told))] for name, told in lines.items()}
    text = " ".join(filled[f"text-{atom.id}"].split())
    if not text:
        raise SettingsError(f"condition {atom.id} is empty: say what has to be shown")
    return atom.model_copy(update={"text": text, **lists})


@router.post("/corpora/{corpus}/runs/{run}/criteria", name="confirm")
def confirm(at: AtRun, criteria: Edited) -> Response:
    """Go on with a run whose criteria were seen."""
    at.go_on(lambda session, _: session.confirm(at.run, criteria), confirmed=True)
    return go(at.page)


@router.post("/corpora/{corpus}/runs/{run}/again", name="again")
def again(at: AtRun, criteria: Edited, max_usd: Annotated[Dollars, Form()] = None) -> Response:
    """Ask the question again by other criteria: what these can change is judged."""
    info, new = at.seen.info, at.anew()
    job = at.pages.jobs.go_on(
        new.job(info.question),
        info.model,
        {"max_usd": max_usd},
        lambda session, _: session.again(at.run, run=new.run, criteria=criteria),
    )
    return go(job.page)


def _job(pages: Pages, name: str) -> Job:
    found = pages.jobs.get(name)
    if found is None:
        raise HTTPException(404, "There is no such job: the server was started anew since.")
    return found


@router.get("/jobs/{job}", name="job")
def job_page(pages: Shared, job: str) -> Response:
    """Show what goes on."""
    found = _job(pages, job)
    back, back_name = "", ""
    if job.startswith("index-"):
        places = {each.stem: key for key, each in pages.corpora.places().items()}
        back_name = places.get(job.removeprefix("index-"), "")
        back = pages.url("corpus", corpus=back_name) if back_name else ""
    elif job.startswith("check-"):
        back_name, run = "the answer", job.removeprefix("check-")
        back = pages.url("run", corpus=found.corpus, run=run)
    return pages.render("job.html", job=found.as_it_is(), back=back, back_name=back_name)


@router.get("/jobs/{job}/events", name="events")
async def events(
    pages: Shared, job: str, last_event_id: Annotated[int | None, Header()] = None
) -> StreamingResponse:
    """Send the trace as it happens: server-sent events, from the last that arrived."""
    found = _job(pages, job)

    async def stream() -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        async for number, told in found.feed.follow(last_event_id or 0):
            yield f"id: {number}\nevent: {told.kind}\ndata: {dumps(printable(told.text))}\n\n"

    return StreamingResponse(stream(), media_type="text/event-stream")


@router.post("/jobs/{job}/stop", name="stop")
def stop(pages: Shared, job: str) -> Response:
    """Have a job end after what is in flight."""
    found = _job(pages, job)
    found.stop()
    return go(found.page)


@router.post("/jobs/{job}/key", name="key")
def key(
    pages: Shared,
    job: str,
    key: Annotated[str, Form()],
    turn: Annotated[int, Form()],
    note: Annotated[str, Form()] = "",
    sec_fetch_mode: Annotated[str, Header()] = "",
) -> Response:
    """Take a key of a review, for the passage shown at `turn`; 409 where it is late."""
    found = _job(pages, job)
    taken = found.screen is not None and found.screen.press(key, turn, note.strip())
    if sec_fetch_mode == "navigate":
        return go(found.page)
    return Response(status_code=204 if taken else 409)


@dataclass(frozen=True, slots=True)
class Cell:
    """What a run made of a document."""

    state: str
    """`certain` or `borderline` where it was found, a candidate, `no`, or what is not known."""
    quote: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A run beside others."""

    run: str
    question: str
    told: str
    other: Cell = Cell("not known")
    """What it made of a document that it did not find."""
    found: Mapping[str, Cell] = field(default_factory=dict)
    """By document."""

    def found_there(self, document: str) -> bool | None:
        """Tell whether a document was found; None where nobody read it, or nothing is known."""
        cell = self.found.get(document, self.other)
        if cell.state == CANDIDATE or self.other.state == "not known":
            return None
        return document in self.found


@router.get("/corpora/{corpus}/compare", name="compare")
def compare(
    pages: Shared,
    corpus: str,
    run: Annotated[list[str] | None, Query()] = None,
    only: str = "",
    page: int = 1,
) -> Response:
    """Show the documents under several questions, or `only` those on which the runs differ."""
    columns = [_column(RunAddress(pages, corpus, each)) for each in run or ()]
    if not columns:
        raise RunError("choose the questions that are to stand side by side")
    every = pages.corpora.corpus(corpus).documents
    told = {
        name: [of.found_there(name) for of in columns]
        for name in sorted({name for of in columns for name in of.found})
    }
    found = [name for name, said in told.items() if True in said]
    apart = [name for name in found if False in told[name]]
    rest = [name for name in told if True not in told[name]]
    names = apart if only else [*found, *rest, *sorted({*every} - told.keys())]
    count, page, part = paged(len(names), page)
    return pages.render(
        "compare.html",
        name=corpus,
        columns=columns,
        apart=apart,
        rows=[(each, [of.found.get(each, of.other) for of in columns]) for each in names[part]],
        found=len(found),
        all=len(every),
        only=only,
        page=page,
        pages=count,
    )


def _column(at: RunAddress) -> Column:
    seen, source = at.seen, at.pages.source(at.corpus, at.run)
    answer, question = seen.answer, seen.info.question
    if answer is None:
        return Column(at.run, question, seen.problem or seen.status)
    found: dict[str, Cell] = {}
    unread = answer.status == "candidates"
    for entity in answer.entities:
        quotes = {each.document: each for each in reversed(entity.evidence)}
        for name in entity.documents:
            shown, mark = quotes.get(name), seen.marked.get(entity.name, "found")
            place = (shown.quote, source(shown)) if shown else ("", at.page)
            found.setdefault(name, Cell(CANDIDATE if unread else mark, *place))
    decided = answer.bounds is not None and answer.bounds[0] == answer.bounds[1]
    other = Cell("no" if decided else "not known" if unread else "not found, not all was read")
    return Column(at.run, question, headline(answer), other, found)
