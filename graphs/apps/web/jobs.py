"""What the page has going on: questions asked, reviews, checks, folders being indexed."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final, Literal
from urllib.parse import quote

from agent.errors import HeadcountError, LimitReached, NeedsRecords, RunError
from agent.settings import load_settings
from graphs.apps.check import CheckedAnswer, checked_answer
from graphs.apps.desk import reader_name, sitting
from graphs.apps.from_settings import file_limits, open_context
from graphs.apps.index import summary
from graphs.apps.page import in_passages
from graphs.apps.review import read_at
from graphs.apps.stored_runs import READING, stored_run
from graphs.apps.trace import event_text
from graphs.apps.web.feed import Feed, PageScreen
from graphs.runs.run_session import Event
from graphs.sessions import Session
from tools.corpus.build import build
from tools.corpus.build_settings import BuildSettings
from tools.corpus.corpus import Corpus

Status = Literal["running", "stopping", "waiting", "done", "stopped", "failed"]
Flags = dict[str, object]
Events = Callable[[Session, "Job"], Iterator[Event]]
"""Has a session begin a job's run, or go on with it."""
_ALIVE: Final = frozenset({"running", "stopping"})
_SITTINGS: Final = 8
"""Reviews and checks that wait for keys at once: one more stops the oldest, which can go on."""


class _Stopped(Exception):
    """A folder is not to be indexed on; the corpus is as it was."""


@dataclass(slots=True)
class Job:
    """Something that goes on behind a page."""

    name: str
    """A run's id, or what else the page asks for it by."""
    title: str
    page: str
    corpus: str = ""
    feed: Feed = field(default_factory=Feed)
    status: Status = "running"
    problem: str = ""
    screen: PageScreen | None = None
    """Where a person reads, if it is a review or a check."""
    who: str = field(default_factory=reader_name)
    checked: CheckedAnswer | None = None
    """What a check has come to so far."""
    flags: Flags = field(default_factory=dict)
    """The settings that it was begun with, over the server's."""
    confirm: bool = False
    """Whether it waits until the person has seen how the question is read."""

    heard: int = 0
    """How many messages of the feed the page has seen that shows it."""

    def as_it_is(self) -> "Job":
        """Return it as it is now, for a page: what is told from here on has it fetched again."""
        return replace(self, heard=len(self.feed))

    @property
    def alive(self) -> bool:
        """Whether a thread works on it."""
        return self.status in _ALIVE

    @property
    def goes_on(self) -> str:
        """How far it is while it goes on, as `headcount runs` says it."""
        return READING if self.screen else "running"

    def stop(self) -> None:
        """Have it end after what is in flight; what was paid for is kept."""
        if self.status == "running":
            self.status = "stopping"
            self.feed.tell("turn")
        if self.screen is not None:
            self.screen.leave()

    def told(self, event: Event) -> None:
        """Add the line of an event, if it has one."""
        if text := event_text(event):
            self.feed.tell("line", in_passages(text))

    def follow(self, events: Iterator[Event]) -> Status:
        """Follow a run until it ends, waits or is to stop; return which."""
        waits = False
        for event in events:
            waits |= event["kind"] == "waiting"
            self.told(event)
            if self.status == "stopping":
                return "stopped"
        return "waiting" if waits else "done"


def _told(error: Exception) -> str:
    """Say what ended a job, and what to do."""
    if isinstance(error, NeedsRecords):
        return f"{error}: headcount analyse reads the documents into records for it"
    if isinstance(error, LimitReached):
        return f"a limit was reached before anything was read: {error}"
    return str(error)


def set_flags(flags: Flags) -> Flags:
    """Return the settings that are given."""
    return {name: value for name, value in flags.items() if value is not None}


class Jobs:
    """The jobs of this server, by name; each in a thread of its own."""

    def __init__(self, flags: Flags, opened: Callable[[str], Corpus]) -> None:
        self.flags = flags
        """The settings that the server was started with."""
        self._opened = opened
        self._jobs: dict[str, Job] = {}
        self._threads: dict[str, threading.Thread] = {}
        self._lock = threading.Lock()
        self.changes = 0
        """Counts what began and ended: whoever keeps what jobs change, keeps it for so long."""

    def get(self, name: str) -> Job | None:
        """Return a job, if this server has had it."""
        return self._jobs.get(name)

    @property
    def alive(self) -> list[Job]:
        """The jobs that go on."""
        return [each for each in tuple(self._jobs.values()) if each.alive]

    def settings(self, flags: Flags) -> Flags:
        """Return the settings of a job: a limit of the server's can be lowered, not lifted."""
        given = set_flags(flags)
        own, asked = self.flags.get("max_usd"), given.get("max_usd")
        if isinstance(own, float) and isinstance(asked, float):
            given["max_usd"] = min(own, asked)
        return self.flags | given

    def close(self, seconds: float = 8) -> None:
        """Stop all jobs, and wait so long for what is in flight."""
        for each in tuple(self._jobs.values()):
            each.stop()
        last = time.monotonic() + seconds
        for thread in tuple(self._threads.values()):
            thread.join(max(0.0, last - time.monotonic()))
        for each in tuple(self._jobs.values()):
            each.feed.close()

    def run(self, job: Job, flags: Flags, events: Events) -> Job:
        """Follow what a session tells of a run, to its end or where it waits or is to stop."""
        job.flags = flags

        def work() -> None:
            context = open_context(self._opened(job.corpus), load_settings(**self.settings(flags)))
            with Session(context) as session:
                ended = job.follow(events(session, job))
            job.status = ended  # the run can be taken up again now

        return self._begin(job, work)

    def go_on(self, job: Job, model: str, flags: Flags, events: Events) -> Job:
        """Go on with a run, or ask it again; raises RunError where this server lacks its model."""
        if model not in {"lexical", load_settings(**self.flags).model}:
            raise RunError(f"this was read by {model}: start the server with --model {model}")
        before = self.get(job.name)
        begun = before.flags if before else {}
        return self.run(job, begun | {"model": model} | set_flags(flags), events)

    def review(self, job: Job, flags: Flags) -> Job:
        """Have the person read in a model's place; a review of the same question goes on."""
        for each in self.alive:
            if each.screen and (each.title, each.corpus) == (job.title, job.corpus):
                return each
        job.flags = flags
        screen = job.screen = PageScreen(job.feed)

        def work() -> None:
            settings = load_settings(**self.settings(flags) | {"model": "lexical"})
            with sitting(self._opened(job.corpus), screen, job.who) as desk:
                read_at(desk, settings, job.title, job.name, job.told)
                job.status = "stopped" if desk.stopped else "done"

        return self._begin(job, work)

    def check(self, run: str, job: Job, size: tuple[int, int], within: float | None) -> Job:
        """Have the person check what a run found."""
        screen = job.screen = PageScreen(job.feed)

        def work() -> None:
            corpus = self._opened(job.corpus)
            with stored_run(corpus, run) as opened, sitting(corpus, screen) as desk:
                told = partial(setattr, job, "checked")
                job.checked = checked_answer(opened, desk, size, within=within, told=told)
                job.status = "stopped" if desk.stopped else "done"

        return self._begin(job, work)

    def index(self, sources: Iterable[Path], into: Path) -> Job:
        """Make a corpus of folders, or bring it up to date."""
        name = f"index-{into.stem}"
        job = Job(name, f"Indexing {into.name}", f"/jobs/{quote(name)}")
        stage = ""

        def progress(name: str, _done: int, total: int) -> None:
            nonlocal stage
            if job.status == "stopping":
                raise _Stopped
            if name != stage:
                stage = name
                job.feed.tell("line", f"{name}: {total}" if total else name)

        def work() -> None:
            given = load_settings(**self.flags)
            settings = BuildSettings(ocr=given.ocr)
            limits = file_limits(given)
            report = build(list(sources), into, settings=settings, progress=progress, limits=limits)
            for line in (summary(into, report), *report.metadata):
                job.feed.tell("line", line)
            for path, why in (*report.unreadable, *report.notes):
                job.feed.tell("line", f"{path}: {why}")
            job.status = "done"

        return self._begin(job, work)

    def _begin(self, job: Job, work: Callable[[], None]) -> Job:
        """Start a thread for a job; one of the same name that is alive goes on instead."""
        with self._lock:
            before = self._jobs.get(job.name)
            if before is not None and before.alive:
                return before
            self._jobs.pop(job.name, None)
            self._jobs[job.name] = job
            self.changes += 1
        sittings = [each for each in self.alive if each.screen]
        for each in sittings[:-_SITTINGS]:
            each.stop()

        def guarded() -> None:
            try:
                work()
            except _Stopped:
                job.status = "stopped"
            except (HeadcountError, OSError) as error:
                job.problem = _told(error)
            finally:
                if job.alive and not job.problem:  # the thread's traceback is on stderr
                    job.problem = "something is wrong with Headcount: the server's output says what"
                if job.problem:
                    job.status = "failed"
                self.changes += 1
                job.feed.tell("turn")

        thread = threading.Thread(target=guarded, name=job.name, daemon=True)
        self._threads[job.name] = thread
        thread.start()
        return job
