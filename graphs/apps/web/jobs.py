"""What the page has going on: questions asked, reviews, checks, folders being indexed."""

import asyncio
import queue
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final, Literal, NamedTuple
from urllib.parse import quote

from agent.errors import HeadcountError, LimitReached, NeedsRecords, RunError
from agent.settings import load_settings
from graphs.apps.check import CheckedAnswer, checked_answer
from graphs.apps.desk import NOTE, Shown, reader_name, sitting
from graphs.apps.from_settings import file_limits, open_context
from graphs.apps.index import summary
from graphs.apps.page import in_passages
from graphs.apps.review import read_at
from graphs.apps.stored_runs import READING, stored_run
from graphs.apps.trace import event_text
from graphs.runs.run_session import Event
from graphs.sessions import Session
from tools.corpus.build import build
from tools.corpus.build_settings import BuildSettings
from tools.corpus.corpus import Corpus

Status = Literal["running", "stopping", "waiting", "done", "stopped", "failed"]
Flags = dict[str, object]
Events = Callable[[Session, "Job"], Iterator[Event]]
"""Has a session begin a job's run, or go on with it."""
Kind = Literal["line", "turn"]
_SOON: Final = 0.05
"""Seconds after which who follows looks again."""
KEYS_TAKEN: Final = frozenset("ybn+-suqtw")
_SAID: Final = {"y": "yes", "b": "borderline", "n": "no", "s": "skipped"}
_ALIVE: Final = frozenset({"running", "stopping"})
_SITTINGS: Final = 8
"""Reviews and checks that wait for keys at once: one more stops the oldest, which can go on."""


class Told(NamedTuple):
    """A message: a line of the trace; or that the page should be fetched again."""

    kind: Kind
    text: str = ""


class Feed:
    """Messages in order, which each page follows from where it was; any thread may write."""

    def __init__(self) -> None:
        self._told: list[Told] = []
        self._closed = False

    def tell(self, kind: Kind, text: str = "") -> None:
        """Add a message."""
        self._told.append(Told(kind, text))

    def close(self) -> None:
        """End: whoever follows gets what is left."""
        self._closed = True

    @property
    def lines(self) -> list[str]:
        """The lines so far."""
        return [each.text for each in tuple(self._told) if each.kind == "line"]

    def __len__(self) -> int:
        """Return how many messages there are."""
        return len(self._told)

    async def follow(self, after: int) -> AsyncIterator[tuple[int, Told]]:
        """Yield the messages behind the first `after`, each with its number, as they come."""
        while True:
            is_last = self._closed
            for each in self._told[after:]:
                after += 1
                yield after, each
            if is_last:
                return
            await asyncio.sleep(_SOON)


class PageScreen:
    """The screen of a review: keeps what is shown until a key comes for it."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._typed: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()
        self._note = ""
        self.shown: Shown | None = None
        self.asks = False
        """Whether what is shown waits for a key; not while one is worked on."""
        self.said: list[str] = []
        """What the person was told since the last passage was judged."""
        self.turn = 0
        """Counts what was shown: a key for an earlier passage is late, and does nothing."""
        self.noted = ""
        self.last = ""
        """What the last key said, and of which document."""

    def show(self, shown: Shown) -> None:
        """Show a passage, and ask for a key."""
        self.shown, self.noted = shown, shown.note
        self._ask()

    def _ask(self) -> None:
        self.turn += 1
        self.asks = True
        self._feed.tell("turn")

    def say(self, text: str) -> None:
        """Tell the person a line."""
        self.said.append(text)
        self._feed.tell("line", text)

    def key(self) -> str:
        """Wait for the next key."""
        key, self._note = self._typed.get()
        return key

    def text(self, asked: str) -> str:
        """Return the text that came with the key."""
        if asked == NOTE:
            self.noted = self._note
            self._ask()
        return self._note

    def press(self, key: str, turn: int, note: str = "") -> bool:
        """Take a key for the passage that was shown at a turn; False where it came too late."""
        if turn != self.turn or not self.asks or self.shown is None or key not in KEYS_TAKEN:
            return False
        self.asks = False  # a second press would be for what nobody has seen yet
        if key in _SAID:
            self.last = f"{_SAID[key]}: {self.shown.passage.document}"
        if key not in "+-t":
            self.said.clear()
        self._typed.put((key, note))
        return True

    def leave(self) -> None:
        """Stop reading, whatever is shown."""
        self._typed.put(("q", ""))


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

    def check(self, run: str, job: Job, size: tuple[int, int]) -> Job:
        """Have the person check what a run found."""
        screen = job.screen = PageScreen(job.feed)

        def work() -> None:
            corpus = self._opened(job.corpus)
            with stored_run(corpus, run) as opened, sitting(corpus, screen) as desk:
                told = partial(setattr, job, "checked")
                job.checked = checked_answer(opened, desk, size, told)
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
