"""Runs side by side: documents × questions, what each run found, and where they differ."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final

from fastapi import APIRouter, Query
from fastapi.responses import Response

from agent.errors import RunError
from graphs.answering.headline import headline
from graphs.apps.web.pages import RunAddress, Shared
from graphs.apps.web.runs import paged

CANDIDATE: Final = "not read: a candidate"
router = APIRouter()


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
