"""`headcount review`: a person reads in a model's place, and gets an answer with the same proof."""

import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import astuple, fields
from pathlib import Path

from rich.console import Console

from agent.answer import Answer
from agent.errors import LimitReached, QuestionError
from agent.question import Interpretation
from agent.reasoners.person_reasoner import PersonReasoner
from agent.settings import Settings, load_settings
from agent.value import counted
from graphs.answering.answers import assembled
from graphs.answering.headline import headline
from graphs.apps.answer_view import show as show_answer
from graphs.apps.desk import KEYS, BegunAnew, Progress, ReviewDesk, sitting
from graphs.apps.exits import Exit, end_at_once, exit_for
from graphs.apps.from_settings import open_reasoner
from graphs.apps.terminal import say, write_json, write_line, write_row
from graphs.apps.terminal_screen import TerminalScreen
from graphs.apps.trace import Trace
from graphs.context import Components, Context, new_run_id
from graphs.runs.run_entry import check_question
from graphs.runs.run_session import Event
from graphs.scope import scope
from graphs.search.cost_model import Choice, allowed_audit
from graphs.search.search_progress import SearchProgress
from graphs.sessions import Session
from tools.corpus.corpus import Corpus, open_corpus
from tools.runs.reviews import Reviewed, Reviews

_READING = frozenset({"batch", "judge"})
"""The nodes after which passages may be shown."""
_SHOWN = frozenset({"interpret", "decide", "audit"})
"""The nodes of which the trace tells the person: not what each verdict leads to."""


def review_context(
    corpus: Corpus, settings: Settings, desk: ReviewDesk, *, verbatim: bool
) -> Context:
    """Return the context of a run in which a person judges: the best by rank, without filters."""
    chosen = {"few_candidates": 0, "trial": 0, "disambiguation": "none", "route": "text"}
    by_rank = Choice(way="rank", why="a person reads the best by rank, and a sample of the rest")
    return Context(
        corpus=corpus,
        reasoner=PersonReasoner(desk, open_reasoner(corpus, settings), verbatim=verbatim),
        policy=settings.policy().model_copy(update=chosen),
        components=Components(way=lambda _state, _context: by_rank),
    )


def run_review(
    corpus: Path,
    question: str,
    flags: Mapping[str, object],
    *,
    verbatim: bool = False,
    undo: bool = False,
    json: bool = False,
) -> Exit:
    """Show passages until the search and its audit end, and print the answer.

    What was judged is kept at once: the same command goes on where it was stopped. `undo` takes
    back the last verdict first.

    Raises HeadcountError: the question cannot be reviewed.
    """
    check_question(question)
    settings = load_settings(**flags)
    opened = open_corpus(corpus)
    console = Console(stderr=True, highlight=False)
    go_on = _command(corpus, question, flags, verbatim=verbatim, json=json)
    with sitting(opened, TerminalScreen(console)) as desk, _ended_by_signals(go_on):
        if undo:
            desk.undo(question)
        context = review_context(opened, settings, desk, verbatim=verbatim)
        say(console, KEYS, style="dim")
        with Session(context) as session, Trace(console) as trace, _hinted(verbatim=verbatim):
            answer = followed(session, desk, question, new_run_id(), trace.show)
        told = f"{counted(len(desk.given), 'verdict')} given"
        earlier = f", {len(desk.known)} taken from earlier reviews" if desk.known else ""
        write_line(f"{told}{earlier}, kept in {desk.reviews.path}", stderr=True)
    if json:
        write_json(answer)
    else:
        show_answer(answer, Console())
    if answer.status == "partial":
        write_line(go_on, stderr=True)
    return exit_for(answer)


def _command(
    corpus: Path, question: str, flags: Mapping[str, object], *, verbatim: bool, json: bool
) -> str:
    given = {name: value for name, value in flags.items() if value is not None}
    options = [f"--{name.replace('_', '-')}={value}" for name, value in given.items()]
    options += ["--verbatim"] * verbatim + ["--json"] * json
    return f"go on with: {shlex.join(['headcount', 'review', str(corpus), question, *options])}"


@contextmanager
def _ended_by_signals(last_words: str) -> Iterator[None]:
    """End the process at once on Ctrl-C or SIGTERM, the terminal as it was: all is on disk."""
    restore: Callable[[], None] = _terminal() if os.name == "posix" else lambda: None

    def end(_signal: int, _frame: object) -> None:
        restore()
        end_at_once(f"interrupted; {last_words}")

    before = {each: signal.signal(each, end) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _terminal() -> Callable[[], None]:
    """Return what sets the terminal back to how it is now."""
    import termios

    if sys.stdin is None or not sys.stdin.isatty():
        return lambda: None
    now_ = termios.tcgetattr(sys.stdin)
    return lambda: termios.tcsetattr(sys.stdin, termios.TCSANOW, now_)


@contextmanager
def _hinted(*, verbatim: bool) -> Iterator[None]:
    """Say of a question that is declined how it can be reviewed all the same."""
    try:
        yield
    except QuestionError as declined:
        if verbatim:
            raise
        raise QuestionError(
            f"{declined}; with --verbatim the question is taken as it stands, and each document "
            "counts of which you say that a passage answers it"
        ) from declined


def followed(
    session: Session, desk: ReviewDesk, question: str, run: str, show: Callable[[Event], None]
) -> Answer:
    """Follow the run to its end; begin it anew where a verdict that it built on is another.

    Raises QuestionError: the question is declined, or verdicts on passages do not tell the answer.
    """
    while True:
        try:
            for event in session.start(question, run=run):
                _check_reviewable(session.state(run).interpretation)
                if event.get("node") in _SHOWN:
                    show(event)
                if event["kind"] == "update" and event["node"] in _READING:
                    desk.progress = _progress(session, run, event["update"]["judged_batches"])
            return session.outcome(run)
        except BegunAnew:
            session.forget(run)
        except LimitReached as limit:
            return session.unread(question, run, limit)


def _progress(session: Session, run: str, judged: int) -> Progress:
    """Return how far a run has come when so many requests of its round were judged."""
    state, context = session.state(run), session.context
    found = headline(assembled(state, context).model_copy(update={"likely": None}))
    left = sum(map(len, context.store.batches(scope(state))[judged:]))
    read = len(SearchProgress.of(state, context).judged)
    if state.rounds[-1].purpose == "audit":
        read = state.rounds[-1].size - left
    unread = len(context.corpus) - read - left
    return Progress(read, left, found, max(0, min(allowed_audit(context), unread)))


def _check_reviewable(reading: Interpretation | None) -> None:
    """Raise QuestionError where verdicts on passages do not tell the answer."""
    if reading is None:
        return
    if reading.measure and reading.measure.field is None:
        raise QuestionError(f"{reading.measure.text!r} would have to be read off the texts")
    if reading.grain == "entity" and reading.entity_field is None:
        raise QuestionError(
            f"each {reading.entity_type} that passages name would have to be counted: review "
            "counts documents; ask for the documents"
        )


def print_reviews(corpus: Path) -> None:
    """Print the verdicts that stand, the oldest first, a tab-separated line each."""
    opened = open_corpus(corpus)
    with closing(Reviews(opened.runs)) as reviews:
        write_row([each.name for each in fields(Reviewed)], sys.stdout)
        for each in reviews.all() if reviews.path.exists() else ():
            write_row([str(cell) for cell in astuple(each)], sys.stdout)
