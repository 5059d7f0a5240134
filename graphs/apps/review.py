"""`headcount review`: a person reads in a model's place, or checks what a run found."""

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from agent.answer import Answer
from agent.errors import LimitReached, QuestionError
from agent.question import Condition, Interpretation
from agent.reasoners.person_reasoner import PersonReasoner
from agent.settings import Settings, load_settings
from agent.value import counted, number
from graphs.answering.answers import assembled
from graphs.answering.headline import headline
from graphs.apps.answer_view import show as show_answer
from graphs.apps.check import checked_answer, checked_lines, corrected_text, disputed
from graphs.apps.desk import KEYS, BegunAnew, Progress, ReviewDesk, Shown, sitting
from graphs.apps.exits import Exit, exit_for, stoppable
from graphs.apps.from_settings import open_reasoner
from graphs.apps.in_words import criteria
from graphs.apps.stored_runs import stored_run
from graphs.apps.terminal import one_line, printable, say, write_json, write_line
from graphs.apps.trace import print_event
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
_GO_ON: Final = "the same command goes on"
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
    with sitting(opened, TerminalScreen(console)) as desk:
        say(console, KEYS, style="dim")
        try:
            with stoppable(f"interrupted; {_GO_ON}"):
                show = partial(print_event, console=console)
                answer = read_at(desk, settings, question, new_run_id(), show)
        except KeyboardInterrupt:
            write_line(f"interrupted; {_GO_ON}", stderr=True)
            return Exit.INTERRUPTED
        told = f"{counted(len(desk.given), 'verdict')} given"
        earlier = f", {len(desk.known)} taken from earlier reviews" if desk.known else ""
        write_line(f"{told}{earlier}, kept in {desk.reviews.path}", stderr=True)
    if json:
        write_json(answer)
    else:
        show_answer(answer, Console())
    if answer.status == "partial":
        write_line(f"stopped; {_GO_ON}", stderr=True)
    return exit_for(answer)


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


def run_check(run: str, size: tuple[int, int], *, json: bool = False) -> Exit:
    """Check a run, or the newest of a corpus, and print the number; raises as `checked_answer`."""
    console = Console(stderr=True, highlight=False)
    screen = TerminalScreen(console)
    with stored_run(run, None) as opened, sitting(opened.corpus, screen) as desk:
        say(console, f"checking run {opened.run}: {opened.info.question}")
        say(console, KEYS, style="dim")
        told = lambda checked: screen.say(f"by now {corrected_text(checked)}")  # noqa: E731
        checked = checked_answer(opened, desk, size, told)
    given = f"{counted(len(desk.given), 'verdict')} given, kept in {desk.reviews.path}"
    write_line(given, stderr=True)
    if json:
        write_json(checked)
    else:
        console = Console(highlight=False)
        say(console, f"{corrected_text(checked)}; the run said {number(checked.said)}", "bold")
        for line in (*checked_lines(checked), *disputed(checked)):
            say(console, one_line(line))
    if desk.stopped:
        write_line(f"stopped; {_GO_ON}", stderr=True)
    return Exit.BUDGET if desk.stopped else Exit.ANSWERED


class TerminalScreen:
    """Reads single keys in a terminal, the letters of each line from a pipe."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._line = ""
        self._asked: Condition | None = None
        """The condition whose criteria were shown last."""

    def key(self) -> str:
        """Return the next key; `q` at the end of the input."""
        while not self._line:
            self._line = self._typed() or "q"
        key, self._line = self._line[0], self._line[1:]
        return key.lower()

    def _typed(self) -> str:
        """Return what was typed, at least one letter; nothing at the end of the input."""
        if sys.stdin is not None and sys.stdin.isatty():
            try:
                return typer.getchar()
            except (EOFError, KeyboardInterrupt):
                return ""
        while read := _line():
            if read.strip():
                return read.strip()
        return ""

    def text(self, asked: str) -> str:
        """Return a line of text; from a pipe the rest of the line, or else the next one."""
        if sys.stdin.isatty():
            return self._console.input(Text(f"{asked}: ")).strip()
        text, self._line = self._line.strip() or _line().strip(), ""
        return text

    def say(self, text: str) -> None:
        """Print a line."""
        say(self._console, one_line(text))

    def show(self, shown: Shown) -> None:
        """Print a passage with what will be quoted, and ask."""
        condition = shown.condition
        self._console.print()
        say(self._console, one_line(shown.place), style="bold")
        say(self._console, f"{shown.why} · {shown.told}", "dim")
        text = Text()
        text.append(printable(f"… {shown.before} ") if shown.before else "", style="dim")
        text.append_text(_highlighted(shown))
        text.append(printable(f" {shown.after} …") if shown.after else "", style="dim")
        self._console.print(Padding(text, (0, 0, 0, 2)))  # no line passes for one of Headcount's
        if condition != self._asked:
            self._asked = condition
            say(self._console, one_line(criteria(condition).strip()))
        say(self._console, f"will be quoted: {one_line(shown.quoted)}")
        if shown.note:
            say(self._console, f"note: {one_line(shown.note)}")
        say(self._console, f"{one_line(shown.asked)} [y b n + - w t s u q ?]", style="bold")


def _line() -> str:
    """Read a line from a pipe, what is no text in it replaced; nothing at the end of the input."""
    read = sys.stdin.readline() if sys.stdin is not None else ""
    return read.encode("utf-8", "replace").decode()


def _highlighted(shown: Shown) -> Text:
    """Return a passage with the words sought in bold, and what will be quoted underlined."""
    text = Text(printable(shown.passage.text))
    if len(text) == len(shown.passage.text):
        for span in shown.sought:
            text.stylize("bold", *span)
        text.stylize("underline", *shown.marked)
    return text
