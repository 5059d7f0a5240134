"""A run as one self-contained HTML page; the template escapes everything that is not ours."""

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from markupsafe import Markup

from agent.answer import Answer
from agent.errors import CorpusError, RunError, SettingsError
from agent.evidence import Entity, Evidence
from agent.history import Step
from agent.question import atoms
from agent.value import counted, number
from graphs.answering.answers import assembled, waiting
from graphs.answering.headline import decided_by, headline, in_plain_words
from graphs.apps.answer_view import beside, cost_line
from graphs.apps.check import CheckedAnswer, checked_lines, corrected_text, disputed, known_check
from graphs.apps.export import SUFFIXES, Mark, marks, save_file, view_of, write
from graphs.apps.in_words import call_text, criteria
from graphs.apps.stored_runs import StoredRun
from graphs.apps.terminal import printable
from graphs.apps.why import cause_text, state_text, step_text
from tools.corpus.corpus import Corpus
from tools.runs.coverage_ledger import Account, Part

if TYPE_CHECKING:
    from jinja2 import Environment

_STATES = (
    ("matched", "matched"),
    ("judged", "judged, no match"),
    ("unparsable", "without a usable verdict"),
    ("failed", "failed requests"),
    ("unseen", "not read"),
    ("pruned", "ruled out"),
)
_HAVE_A_MODEL = "have this page started with a model"
_CONTEXT = 220
"""Characters shown before and after a quote."""
_ROWS = 40
"""Rows of a condition at most, the largest parts first."""
_FUNCTIONS = (
    *(atoms, beside, call_text, cause_text, cost_line, counted, criteria, decided_by, headline),
    *(in_plain_words, number, state_text, step_text),
    *(checked_lines, corrected_text, disputed),
)
_USED: dict[str, Any] = {each.__name__: each for each in _FUNCTIONS}
_USED["STATES"] = _STATES
"""What the template calls and goes through."""


@dataclass(frozen=True, slots=True)
class Inlined:
    """A file that stands in the page, allowed by its digest."""

    text: str
    digest: str

    @classmethod
    def of(cls, name: str) -> Self:
        """Read a file of the page."""
        text = files("graphs.apps").joinpath("static", name).read_text(encoding="utf-8")
        found = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        return cls(text, f"sha256-{found}")


def in_passages(text: str) -> str:
    """Call things what they are to whoever reads a page: passages, and no options of a command.

    >>> in_passages("every chunk of 12 chunks; name a model with --model NAME, which reads them")
    'every passage of 12 passages; have this page started with a model, which reads them'
    """
    told = re.sub(r"\bchunk(?=s?\b)", "passage", text).replace("; `headcount runs` lists them", "")
    told = told.replace("name a model with --model NAME", _HAVE_A_MODEL)
    return told.replace(" (--model NAME)", "")


@cache
def environment() -> "Environment":
    """Return the templates: all is escaped that is not ours, and no text steers or turns a line."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    def shown(value: object) -> object:
        if isinstance(value, str) and not isinstance(value, Markup):
            return printable(value)
        return value

    made = Environment(
        loader=PackageLoader("graphs.apps"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    made.globals |= _USED
    made.filters["in_passages"] = in_passages
    return made


def save_run(run: StoredRun, path: Path, *, force: bool = False) -> None:
    """Write a run to a file, as its suffix says; raises SettingsError where that cannot be."""
    save_file(path, lambda: run_bytes(run, path.suffix), force=force)


def run_bytes(run: StoredRun, suffix: str) -> bytes:
    """Return a run in the form that a suffix names; raises SettingsError where it names none."""
    if suffix.lower() not in SUFFIXES:
        told = f"{', '.join(SUFFIXES)}, not {suffix!r}"
        raise SettingsError(f"a file's suffix says its form: {told}")
    return page_of(run).encode() if suffix.lower() == ".html" else write(view_of(run), suffix)


def page_of(run: StoredRun) -> str:
    """Render the page about a run; raises RunError where nothing came of it yet."""
    answer = answer_so_far(run)
    made = run.state.history, run_facts(run), accounts_of(run, answer)
    marked = {} if run.corpus_changed else marks(run, answer)
    return page(answer, run.corpus, *made, known_check(run), marked)


def run_facts(run: StoredRun) -> list[str]:
    """Say what a run was made of, and how it stands."""
    info = run.info
    started = f"{info.created[:16].replace('T', ' ')} UTC"
    facts = [f"corpus {run.corpus.path}, model {info.model}, started {started}"]
    facts.append(f"status: {run.status}")
    if run.corpus_changed:
        facts.append("the corpus has changed since: its chunks are no longer those of this run")
    return facts


def accounts_of(run: StoredRun, answer: Answer) -> Sequence[Account]:
    """Return what happened to the chunks by interpretation; none where nothing was searched."""
    searched = run.state.snapshot and answer.status != "needs_clarification"
    return run.accounts() if searched and not run.corpus_changed else ()


def answer_so_far(run: StoredRun) -> Answer:
    """Return the answer; of a run that is not finished, what is known so far."""
    stored = run.store.answer(run.run)
    if stored is not None and not run.session.unfinished(run.run):
        return stored
    run.check_asked()
    state = run.state
    if state.interpretation is None:
        raise RunError(f"run {run.run!r} has not interpreted its question yet: nothing to report")
    if state.clarification is not None or not state.snapshot:
        return waiting(state)
    so_far = "the run is not finished: this is what has been found so far"
    return assembled(state, run.session.context).model_copy(
        update={"status": "partial", "warnings": (so_far, *state.warnings)}
    )


def page(
    answer: Answer,
    corpus: Corpus,
    history: Sequence[Step] = (),
    facts: Sequence[str] = (),
    accounts: Sequence[Account] = (),
    checked: CheckedAnswer | None = None,
    marked: Mapping[str, Mark] | None = None,
) -> str:
    """Render the page; several interpretations stand side by side."""
    return (
        environment()
        .get_template("report.html")
        .render(
            answer=answer,
            checked=checked,
            marked=marked or {},
            sections=sections(answer, accounts),
            history=history,
            facts=facts,
            around=partial(around, corpus),
            title=partial(title, corpus),
            style=Inlined.of("page.css"),
            script=Inlined.of("answer.js"),
        )
    )


def sections(
    answer: Answer, accounts: Sequence[Account]
) -> list[tuple[Answer, list[dict[str, Any]]]]:
    """Return each interpretation's answer with what happened to the chunks by condition."""
    shown = answer.readings or (answer,)
    return [
        (each, list(_happened(account, each)) if account else [])
        for each, account in zip_longest(shown, accounts[: len(shown)])
    ]


def title(corpus: Corpus, item: Entity) -> str:
    """Return the title of an item that is a document; empty where it has none of its own."""
    number = corpus.places.get(item.name)
    found = corpus.titles[number] if number is not None else ""
    return found if found != item.name else ""


def _happened(account: Account, answer: Answer) -> Iterator[dict[str, Any]]:
    """Yield for each condition the largest parts of its chunks."""
    node = answer.interpretation.conditions if answer.interpretation else None
    texts = {condition.id: condition.text for condition in atoms(node)}
    by_condition: dict[str, list[Part]] = {}
    for part in account.parts:
        by_condition.setdefault(part.condition, []).append(part)
    for condition, parts in by_condition.items():
        ordered = sorted(parts, key=lambda part: -len(part.ids))
        yield {
            "name": texts.get(condition) or condition or "the question",
            "rows": ordered[:_ROWS],
            "more_rows": len(ordered[_ROWS:]),
            "in_more_rows": sum(len(part.ids) for part in ordered[_ROWS:]),
            "causes": account.causes,
        }


def around(corpus: Corpus, evidence: Evidence) -> tuple[str, str, str]:
    """Return the words before and after a quote; none, and why, where it stands there no more."""
    try:
        text = corpus.document_text(corpus.document_index(evidence.document))
    except CorpusError:
        return "", "", "the document was removed from the corpus since"
    start, end = evidence.start, evidence.end
    if text[start:end] != evidence.quote:
        return "", "", "the document has changed since"
    before = text[max(0, start - _CONTEXT) : start]
    after = text[end : end + _CONTEXT]
    if start > _CONTEXT:
        before = "… " + before.partition(" ")[2]
    if end + _CONTEXT < len(text):
        after = after.rpartition(" ")[0] + " …"
    return before, after, ""
