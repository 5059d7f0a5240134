"""The runs kept with a corpus: listed, or one found and opened with its interpretations."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from agent.answer import Answer
from agent.errors import CorpusError, CorpusUnreachable, RunError
from agent.history import Step
from agent.question import atoms
from agent.settings import load_settings
from agent.state import State
from graphs.answering.headline import headline
from graphs.apps.terminal import write_line, write_row
from graphs.context import Context, store_of
from graphs.disambiguation import searched_with
from graphs.nodes.branch import first_of_searches
from graphs.runs.run_entry import has_runs, runs_of
from graphs.scope import open_conditions, scope
from graphs.sessions import Session
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.generations import CorpusLayout
from tools.postgres.address import server_of
from tools.runs.coverage_ledger import Account, account
from tools.runs.store import RunInfo, RunStore

_Lock = Callable[[str], AbstractContextManager[None]]
READING = "a person is reading"
STOPPED = "stopped, can go on"
_STATUS = {"paused": "waiting for a reply", "partial": "limit reached"}
"""What a run's status is called where not as in the store."""


def list_runs(corpus: Path) -> None:
    """Print the runs, the newest first, a tab-separated line each."""
    runs = listed_runs(Context(corpus=open_corpus(corpus), server=server_of(load_settings())))
    for info, value, status in runs:
        started, asked = info.created[:16].replace("T", " "), " ".join(info.question.split())
        write_row((info.run, started, status, value, info.model, asked), sys.stdout)
    if not runs:
        write_line("no runs yet")


def listed_runs(context: Context, most: int | None = None) -> list[tuple[RunInfo, str, str]]:
    """Return the runs, the newest first, each with its answer's headline and how it stands.

    With a limit, so many at most, of several interpretations of a question one.
    """
    if not has_runs(context):
        return []
    with closing(context.store) as store, closing(runs_of(context)) as place:
        every = [each for each in store.runs() if most is None or "." not in each.run][:most]
        found = [(each, store.answer(each.run)) for each in every]
        return [
            (info, headline(answer) if answer else "", status_text(info, answer, place.working_on))
            for info, answer in found
        ]


def status_text(info: RunInfo, answer: Answer | None, working_on: _Lock) -> str:
    """Say how far a run has come, in the same words wherever it is said.

    One that was killed is recognised by its free lock; only a person stops a review early.
    """
    if info.status == "answered" and answer is not None and answer.status == "candidates":
        return "candidates"
    if info.status == "partial" and info.model == "person":
        return STOPPED
    if info.status != "running":
        return _STATUS.get(info.status, info.status)
    try:
        with working_on(info.run.partition(".")[0]):
            return "interrupted"
    except RunError:
        return READING if info.model == "person" else "running"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedInterpretation:
    """One interpretation of the question, as the run store keeps it."""

    scope: str
    """The name of its ledger: the run; for a second or later interpretation with its number."""
    history: Sequence[Step]
    """Its steps, where the state still has them."""
    texts: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    """A run with its corpus, opened."""

    session: Session
    info: RunInfo
    state: State

    @property
    def run(self) -> str:
        """The run's id."""
        return self.info.run

    @property
    def corpus(self) -> Corpus:
        """The corpus as it is now."""
        return self.session.context.corpus

    @property
    def store(self) -> RunStore:
        """Where the run is kept."""
        return self.session.context.store

    @property
    def status(self) -> str:
        """How far the run has come, in words."""
        answer = self.store.answer(self.run)
        return status_text(self.info, answer, self.session.place.working_on)

    @property
    def corpus_changed(self) -> bool:
        """Whether the corpus was indexed again since: its chunks are not those of the run."""
        return self.info.corpus_digest != self.corpus.digest

    def interpretations(self) -> list[SearchedInterpretation]:
        """Return those searched; raises RunError where none was, or the corpus has changed."""
        if self.corpus_changed:
            raise RunError(
                f"the corpus has changed since run {self.run!r} started, and its chunks with it; "
                "ask the question again"
            )
        self.check_asked()
        if not self.state.snapshot and not self.state.reading:
            raise RunError(f"run {self.run!r} has searched nothing yet")
        begun = self.state.reading + bool(self.state.snapshot)
        return [
            self._interpretation(number) for number in first_of_searches(self.state.readings, begun)
        ]

    def check_asked(self) -> None:
        """Raise RunError if the question was declined, with the reason: nothing came of it."""
        if self.info.status == "declined":
            why = self.info.told or "ask it again, to see why"
            raise RunError(f"the question of run {self.run!r} was declined: {why}")

    def accounts(self) -> list[Account]:
        """Return what happened to the chunks, for each interpretation; raise as they do."""
        return [account(self.store, each.scope, each.history) for each in self.interpretations()]

    def _interpretation(self, number: int) -> SearchedInterpretation:
        name = scope(replace(self.state, reading=number))
        present = number == self.state.reading
        conditions = list(open_conditions(self.state)) if present else []
        if present and self.state.interpretation is not None:
            conditions += atoms(self.state.interpretation.conditions)
        elif self.state.readings:
            for each in searched_with(self.state.readings, number):
                conditions += atoms(each.conditions)
        return SearchedInterpretation(
            scope=name,
            history=self.state.history if present else (),
            texts={condition.id: condition.text for condition in conditions},
        )


@contextmanager
def stored_run(first: str | Corpus, second: str | None) -> Iterator[StoredRun]:
    """Open a run: by its id alone or behind its corpus, or the newest finished one of a corpus.

    Raises RunError: there is no such run.
    """
    if isinstance(first, Corpus):
        corpus = first
    elif second is None and not Path(first).is_dir():
        corpus, second = open_corpus(corpus_of(first)), first
    else:
        corpus = open_corpus(first)
    context = Context(corpus=corpus, server=server_of(load_settings()))
    run = _newest(context) if second is None else second
    with Session(context) as session:
        info = session.context.store.info(run)
        yield StoredRun(session=session, info=info, state=session.state(run))


def _newest(context: Context) -> str:
    """Return the corpus's newest finished run; further interpretations of a run are part of it."""
    with context.store as store:
        every = {each.run: each for each in (store.runs() if has_runs(context) else ())}
    for run, info in every.items():
        stopped = info.status == "partial" and info.model == "person"
        over = info.status in {"answered", "partial"} and not stopped
        if over and run.rpartition(".")[0] not in every:
            return run
    raise RunError(f"the corpus {str(context.corpus.path)!r} has no finished runs yet")


def corpus_of(run: str) -> Path:
    """Return the one corpus in this folder that has the run; raises RunError where none has."""
    server = server_of(load_settings())
    having: list[Path] = []
    marks = "**/runs/runs.sqlite" if server is None else "**/id"
    for mark in sorted(Path().glob(marks)):
        root = mark.parents[1] if server is None else mark.parent
        if not CorpusLayout(root).is_corpus():
            continue
        try:
            CorpusLayout(root).check_links()
            with store_of(root, root / "runs", server) as opened:
                opened.info(run)
        except CorpusUnreachable:
            raise
        except (RunError, CorpusError):
            continue
        having.append(root)
    if len(having) > 1:
        told = " and ".join(repr(str(each)) for each in having)
        raise RunError(f"{told} have a run {run!r}; name the corpus that you mean before it")
    if not having:
        raise RunError(f"no corpus below this folder has a run {run!r}; name its corpus before it")
    return having[0]
