"""Runs side by side: documents × questions, what became of each document, and where they differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Final

import numpy as np
from fastapi import APIRouter, Query
from fastapi.responses import Response
from numpy.typing import NDArray

from agent.answer import Answer
from agent.coverage import Cause, Standing
from agent.errors import RunError
from agent.question import AllOf, Condition, atoms
from graphs.answering.headline import headline
from graphs.apps.page import accounts_of
from graphs.apps.stored_runs import StoredRun
from graphs.apps.web.items import paged
from graphs.apps.web.jobs import Job
from graphs.apps.web.pages import RunAddress, Shared
from graphs.apps.why import state_text
from tools.runs.coverage_ledger import BY_FIELDS

VERDICTS: Final = ("no", "ruled out, not read", "not read", "failed", "yes")
"""What can become of a document under a condition; of several passages the last tells."""
CANDIDATE: Final = "not read: a candidate"
_NO, _OUT, _UNREAD, _FAILED, _YES = range(5)
router = APIRouter()


@dataclass(frozen=True, slots=True)
class Cell:
    """What a run made of a document."""

    state: str
    """`certain` or `borderline` where it was found, a candidate, else what became of it."""
    quote: str = ""
    source: str = ""
    verdicts: Sequence[tuple[str, str]] = ()
    """By condition."""


@dataclass(frozen=True, slots=True)
class Column:
    """A run beside others."""

    run: str
    question: str
    told: str
    found: Mapping[str, Cell] = field(default_factory=dict)
    """By document."""
    codes: Mapping[str, NDArray[np.int8]] = field(default_factory=dict)
    """By condition, what became of each document."""
    joined: bool = False
    """Whether a document has to satisfy all conditions."""
    unread: bool = False
    """Whether what it found are candidates, which nobody read."""

    def found_there(self, document: str, number: int | None) -> bool | None:
        """Tell whether a document was found; None where not enough of it was read to tell."""
        if document in self.found:
            return None if self.unread else True
        return False if self.cell(document, number).state == "no" else None

    def cell(self, document: str, number: int | None) -> Cell:
        """Return what became of a document, by its name and its number, if it is there still."""
        codes = {text: int(of[number]) for text, of in self.codes.items() if number is not None}
        verdicts = [(text, VERDICTS[code]) for text, code in codes.items()]
        if document in self.found:
            return replace(self.found[document], verdicts=verdicts)
        is_no = self.joined and _NO in codes.values()
        worst = _NO if is_no else max({_NO, *codes.values()} - {_YES})
        return Cell(VERDICTS[worst] if codes else "not known", verdicts=verdicts)


@router.get("/corpora/{corpus}/compare", name="compare")
def compare(
    pages: Shared,
    corpus: str,
    run: Annotated[list[str] | None, Query()] = None,
    only: str = "",
    page: int = 1,
) -> Response:
    """Show the documents under several questions, or `only` those on which the runs differ."""
    asked = (each.as_it_is() for each in map(pages.jobs.get, run or ()) if each)
    live = {each.name: each for each in asked if each.alive or each.problem}
    columns = [_column(RunAddress(pages, corpus, each), live.get(each)) for each in run or ()]
    if not columns:
        raise RunError("choose the questions that are to stand side by side")
    by_name = {name: at for at, name in enumerate(pages.corpora.corpus(corpus).documents)}
    told = {
        name: [of.found_there(name, by_name.get(name)) for of in columns]
        for name in sorted({name for of in columns for name in of.found})
    }
    found = [name for name, said in told.items() if True in said]
    apart = {name for name in found if False in told[name]}
    alone = [(at, sum(told[name][at] is True for name in apart if told[name].count(True) == 1))
             for at in range(len(columns))]  # fmt: skip
    first = [*found, *(name for name in told if True not in told[name])]
    names = sorted(apart) if only else [*first, *sorted(by_name.keys() - told.keys())]
    count, page, part = paged(len(names), page)
    return pages.render(
        "compare.html",
        name=corpus,
        columns=columns,
        alone=[(at + 1, count) for at, count in alone if count],
        apart=apart,
        rows=[(each, [of.cell(each, by_name.get(each)) for of in columns]) for each in names[part]],
        found=len(found),
        all=len(by_name),
        only=only,
        page=page,
        pages=count,
        job=next((each for each in live.values() if each.alive), None),
    )


def _column(at: RunAddress, job: Job | None) -> Column:
    if job is not None:
        return Column(at.run, job.title, job.problem or job.goes_on)
    seen = at.seen
    if seen.answer is None:
        return Column(at.run, seen.info.question, seen.problem or seen.status)
    found: dict[str, Cell] = {}
    unmarked = CANDIDATE if seen.answer.status == "candidates" else "found"
    source = at.pages.source(at.corpus, at.run)
    for entity in seen.answer.entities:
        quotes = {each.document: each for each in reversed(entity.evidence)}
        for name in entity.documents:
            shown, state = quotes.get(name), seen.marked.get(entity.name, unmarked)
            place = (shown.quote, source(shown)) if shown else ("", at.page)
            found.setdefault(name, Cell(state, *place))
    reading = seen.answer.interpretation
    tree = reading.conditions if reading else None
    with at.opened() as opened:
        codes = _codes(opened, seen.answer)
    joined = isinstance(tree, AllOf) and all(isinstance(each, Condition) for each in tree.parts)
    unread, told = seen.answer.status == "candidates", headline(seen.answer)
    return Column(at.run, seen.info.question, told, found, codes, joined, unread)


def _codes(run: StoredRun, answer: Answer) -> dict[str, NDArray[np.int8]]:
    """Return by condition what became of each document; nothing where the documents changed."""
    corpus, codes = run.corpus, dict[str, NDArray[np.int8]]()
    reading = answer.interpretation
    texts = {each.id: each.text for each in atoms(reading.conditions if reading else None)}
    certain = {step.round for step in run.state.history if step.certain}
    for account in accounts_of(run, answer)[:1]:
        for part in account.parts:
            text = texts.get(part.condition, "the question")
            worst = codes.setdefault(text, np.zeros(len(corpus.documents), np.int8))
            own = corpus.chunk_document[np.array(part.ids, dtype=np.int64)]
            np.maximum.at(worst, own, _code(part.standing, certain, account.causes))
    return codes


def _code(standing: Standing, certain: set[int], causes: Mapping[int, Cause]) -> int:
    """Tell what a passage's state makes of its document: what code rules out is decided."""
    by_state = {"yes": _YES, "no": _NO, "failed": _FAILED, "unparsable": _FAILED, "pruned": _OUT}
    by_code, unread = standing.step in {BY_FIELDS, *certain}, state_text(standing, causes)
    state = "no" if by_code else "unseen" if "not read" in unread else standing.state
    return by_state.get(state, _UNREAD)
