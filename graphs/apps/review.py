"""`headcount review`: a person reads in a model's place, and gets an answer with the same proof."""

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

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
from graphs.apps.exits import Exit, exit_for, stoppable
from graphs.apps.from_settings import open_reasoner
from graphs.apps.terminal import say, write_json, write_line
from graphs.apps.terminal_screen import TerminalScreen
from graphs.apps.trace import Trace
from graphs.context import Components, Context, new_run_id
from graphs.runs.run_entry import check_question
from graphs.runs.run_session import Event
from graphs.scope import scope
from graphs.search.cost_model import Choice, allowed_audit
from graphs.search.search_progress import SearchProgress
from graphs.sessions import Session
from tools.corpus.corpus import open_corpus

_READING = frozenset({"batch", "judge"})
"""The nodes after which passages may be shown."""
_SHOWN = frozenset({"interpret", "decide", "audit"})
"""The nodes of which the trace tells the person: not what each verdict leads to."""
_BY_WORDS: Final = "Your question is searched by its words, and you decide what answers it."


def review_context(settings: Settings, desk: ReviewDesk, *, verbatim: bool) -> Context:
    """Return the context of a run in which a person judges: the best by rank, without filters."""
    chosen = {"few_candidates": 0, "trial": 0, "disambiguation": "none", "route": "text"}
    by_rank = Choice(way="rank", why="a person reads the best by rank, and a sample of the rest")
    return Context(
        corpus=desk.corpus,
        reasoner=PersonReasoner(desk, open_reasoner(desk.corpus, settings), verbatim=verbatim),
        policy=settings.policy().model_copy(update=chosen),
        components=Components(way=lambda _state, _context: by_rank),
    )


def run_review(
    corpus: Path, question: str, flags: Mapping[str, object], *, json: bool = False
) -> Exit:
    """Show passages until the search and its audit end, and print the answer.

    What was judged is kept at once: the same command goes on where it was stopped.

    Raises HeadcountError: the question cannot be reviewed.
    """
    check_question(question)
    settings = load_settings(**flags)
    opened = open_corpus(corpus)
    console = Console(stderr=True, highlight=False)
    go_on = _command(corpus, question, flags, json=json)
    with sitting(opened, TerminalScreen(console)) as desk:
        say(console, KEYS, style="dim")
        try:
            with stoppable(f"interrupted; {go_on}"), Trace(console) as trace:
                answer = read_at(desk, settings, question, new_run_id(), trace.show)
        except KeyboardInterrupt:
            write_line(f"interrupted; {go_on}", stderr=True)
            return Exit.INTERRUPTED
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


def _command(corpus: Path, question: str, flags: Mapping[str, object], *, json: bool) -> str:
    given = {name: value for name, value in flags.items() if value is not None}
    options = [f"--{name.replace('_', '-')}={value}" for name, value in given.items()]
    options += ["--json"] * json
    return f"go on with: {shlex.join(['headcount', 'review', str(corpus), question, *options])}"


def read_at(
    desk: ReviewDesk, settings: Settings, question: str, run: str, show: Callable[[Event], None]
) -> Answer:
    """Have the person at the desk read for a question; one that is declined is taken as it stands.

    Raises HeadcountError: the interpreting model fails, or a setting cannot be used.
    """

    def read(*, verbatim: bool) -> Answer:
        with Session(review_context(settings, desk, verbatim=verbatim)) as session:
            session.forget(run)
            return followed(session, desk, question, run, show)

    try:
        return read(verbatim=False)
    except QuestionError:
        desk.screen.say(_BY_WORDS)
        return read(verbatim=True)


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
