"""What the addresses share: the corpora, the jobs, the stored runs, and how a page is rendered."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup, escape
from pydantic import AllowInfNan, BeforeValidator, NonNegativeFloat

from agent.ambiguity import Clarification
from agent.answer import Answer
from agent.errors import RunError
from agent.evidence import Evidence
from agent.question import Interpretation
from agent.settings import load_settings
from graphs.apps.check import CheckedAnswer, known_check, uncheckable
from graphs.apps.desk import Shown
from graphs.apps.export import Mark, marks
from graphs.apps.from_settings import file_limits
from graphs.apps.page import answer_so_far, environment
from graphs.apps.stored_runs import StoredRun, stored_run
from graphs.apps.terminal import printable
from graphs.apps.web.corpus_folder import CorpusFolder
from graphs.apps.web.jobs import Events, Flags, Job, Jobs
from graphs.context import Context, new_run_id
from graphs.scope import open_conditions
from tools.corpus.building.build_processes import Workers
from tools.corpus.source_pages import SourcePages
from tools.postgres.address import server_of
from tools.runs.store import RunInfo

_HOLES = re.compile(r"\n(?:[ \t]*\n){2,}")
READERS = {"lexical": "fields and words", "person": "you"}
"""Who read, where it was no model."""
LISTED = 200
"""Documents, or rows of a table, that are listed at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A run as the page shows it."""

    info: RunInfo
    answer: Answer | None
    status: str = ""
    """How far it is, as `headcount runs` says it."""
    problem: str = ""
    unfinished: bool = False
    checkable: bool = False
    checked: CheckedAnswer | None = None
    waiting: Clarification | None = None
    unconfirmed: bool = False
    """Whether it waits until its criteria were seen."""
    reading: Interpretation | None = None
    """How the question is read, where a person can change what counts."""
    marked: dict[str, Mark] = field(default_factory=dict)


class Pages:
    """What stands on the pages, rendered."""

    def __init__(self, folder: Path, flags: Flags, address: Callable[..., str]) -> None:
        self.corpora = CorpusFolder(folder)
        self.jobs = Jobs(flags, self.corpora.corpus)
        self.sources = SourcePages(Workers(file_limits(load_settings(**flags))))
        self._address = address
        self.templates = environment().overlay()
        self.templates.globals = self.templates.globals | {"url": self.url, "marked": marked_text}
        self._seen: dict[tuple[str, str], tuple[object, Seen]] = {}

    def close(self) -> None:
        """Stop what goes on, after what is in flight."""
        self.jobs.close()
        self.sources.close()

    def url(self, page: str, /, **given: object) -> str:
        """Return the address of a page."""
        quoted = {key: quote(str(value), safe="") for key, value in given.items()}
        return str(self._address(page, **quoted))

    def render(self, template: str, status: int = 200, **given: Any) -> HTMLResponse:
        """Render a page."""
        return HTMLResponse(self.templates.get_template(template).render(**given), status)

    def context(self, name: str) -> Context:
        """Return what the runs of a corpus are read with."""
        settings = load_settings(**self.jobs.flags)
        return Context(corpus=self.corpora.corpus(name), server=server_of(settings))

    def readers(self) -> tuple[list[tuple[str, str]], bool]:
        """Return who can read, and whether one is paid."""
        model = load_settings(**self.jobs.flags).model
        found = [("lexical", "no model: fields and words alone"), ("person", "I read")]
        paid = model != "lexical"
        return [*([(model, model)] if paid else []), *found], paid

    def seen(self, name: str, run: str) -> Seen:
        """Return a run as it is stored; kept until anything is written in the corpus."""
        corpus = self.corpora.corpus(name)
        written = [each.stat().st_mtime_ns for each in sorted(corpus.runs.glob("*.sqlite*"))]
        state = corpus.digest, self.jobs.changes, written
        known = self._seen.get((name, run))
        if known is None or known[0] != state:
            with stored_run(corpus, run) as opened:
                known = self._seen[name, run] = state, _seen(opened)
        return known[1]

    def source(self, corpus: str, run: str) -> Callable[[Evidence], str]:
        """Return what gives the address of a quote in its document."""
        opened = self.corpora.corpus(corpus)

        def address(evidence: Evidence) -> str:
            number = opened.document_index(evidence.document)
            place = self.url("document", corpus=corpus, number=number)
            return f"{place}?run={quote(run)}&at={evidence.start}"

        return address


def pages_of(request: Request) -> Pages:
    """Return what this server's addresses share."""
    found: Pages = request.app.state.pages
    return found


Shared = Annotated[Pages, Depends(pages_of)]


@dataclass(frozen=True, slots=True)
class RunAddress:
    """A run, as an address of the page names it."""

    pages: Shared
    corpus: str
    run: str

    @property
    def page(self) -> str:
        """The address of the run's page."""
        return self.pages.url("run", corpus=self.corpus, run=self.run)

    @property
    def seen(self) -> Seen:
        """The run as it is stored; raises RunError where there is none."""
        return self.pages.seen(self.corpus, self.run)

    def opened(self) -> AbstractContextManager[StoredRun]:
        """Open the run; raises RunError where there is none."""
        return stored_run(self.pages.corpora.corpus(self.corpus), self.run)

    def job(self, question: str, *, confirm: bool = False) -> Job:
        """Return what is to go on with the run."""
        return Job(self.run, question, self.page, self.corpus, confirm=confirm)

    def go_on(self, events: Events, flags: Flags | None = None, *, confirmed: bool = False) -> None:
        """Go on with the run; to be confirmed, where it was, until it is. Raises RunError."""
        info, before = self.seen.info, self.pages.jobs.get(self.run)
        confirm = before is not None and before.confirm and not confirmed
        job = self.job(info.question, confirm=confirm)
        self.pages.jobs.go_on(job, info.model, flags or {}, events)

    def anew(self) -> "RunAddress":
        """Return the address of another run of the corpus."""
        return replace(self, run=new_run_id())


AtRun = Annotated[RunAddress, Depends()]


Dollars = Annotated[
    NonNegativeFloat | None,
    AllowInfNan(allow_inf_nan=False),
    BeforeValidator(lambda told: None if told == "" else told),
]
"""The amount of US dollars that a form holds; None where its field is empty."""


def go(address: str) -> RedirectResponse:
    """Send the browser on."""
    return RedirectResponse(address, 303)


_CHANGED = (
    "the documents have changed since: the number and its bounds are those of them as they "
    "were; ask again for those that there are now"
)


def _seen(opened: StoredRun) -> Seen:
    unfinished = opened.session.unfinished(opened.run)
    try:
        answer = answer_so_far(opened)
    except RunError as error:
        unfinished &= opened.info.status != "declined"  # it has nothing to go on with
        return Seen(
            info=opened.info,
            answer=None,
            status=opened.status,
            problem=opened.info.told or str(error),
            unfinished=unfinished,
        )
    reading, waits = opened.state.interpretation, answer.status == "needs_clarification"
    changed = opened.corpus_changed
    if changed:
        answer = answer.model_copy(update={"warnings": (_CHANGED, *answer.warnings)})
    by_model = opened.info.model not in READERS and not opened.state.readings
    texts = open_conditions(opened.state) if by_model else ()
    return Seen(
        info=opened.info,
        answer=None if waits else answer,
        status=opened.status,
        unconfirmed=opened.session.unconfirmed(opened.run),
        reading=reading if texts else None,
        unfinished=unfinished,
        checkable=not (unfinished or changed or reading is None)
        and not uncheckable(answer, reading, opened.info.model),
        checked=None if unfinished else known_check(opened),
        waiting=opened.state.clarification if waits and unfinished else None,
        marked={} if changed else marks(opened, answer),
    )


def marked_text(shown: Shown) -> Markup:
    """Return a passage, the words sought in bold, what will be quoted marked."""
    text = shown.passage.text
    edges = sorted({0, len(text), *shown.marked, *(at for span in shown.sought for at in span)})
    parts = []
    for start, end in pairwise(edges):
        part = escape(_HOLES.sub("\n\n", printable(text[start:end])))
        if any(first <= start < last for first, last in shown.sought):
            part = Markup("<b>{}</b>").format(part)
        opens, closes = start == shown.marked[0], end == shown.marked[1]
        parts += [Markup("<mark>") * opens, part, Markup("</mark>") * closes]
    return Markup("").join(parts)
