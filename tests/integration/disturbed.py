"""Commands that something ends at any moment, and what each must have come to in the end."""

import os
import resource
import signal
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.answer import Answer
from graphs.apps.exits import Exit
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps import test_analyse as pumpkins
from tests.graphs.apps import test_record_commands as boats
from tests.graphs.leaving_out import LEFT_OUT
from tests.integration.asking import MANY_REQUESTS, Printed, adds_up, command, same_but_for_the_bill
from tests.integration.forked import Forked
from tests.integration.hostile import run_in
from tests.integration.reader import Reader, read
from tests.tools.corpus.conftest import contents
from tools.records.record_store import RecordStore
from tools.runs.reviews import Reviews

Outcome = Any
"""What must be the same as if nothing had happened; equal values are."""
_PLAIN = {name: value for name, value in MANY_REQUESTS.items() if name != LEFT_OUT}
_FULL = 0
"""Bytes that a file may grow to on a disk that has become full; what is printed goes to pipes."""


@dataclass(frozen=True, kw_only=True)
class Disturbed:
    """A command, where it works, and what it leaves."""

    arguments: Callable[[Path, FakeProvider], list[str]]
    """Of the command that begins in a folder, or goes on there with what was begun."""
    left: Callable[[Path, Printed], Outcome]
    reader: Reader = read
    settings: Mapping[str, str]
    typed: str = ""
    """What a person types, more than is asked for."""
    is_run: bool = False
    """Whether its answer bears a bill of all that the run paid, however often it was resumed."""

    def begun(self, home: Path, provider: FakeProvider, pipes: Path | None = None) -> Forked:
        """Return the command to be run, or to be run again after it was ended."""
        return Forked(self.arguments(home, provider), pipes or home, self.settings, self.typed)

    def serve(self, provider: FakeProvider) -> None:
        """Have the provider reply well, each request to be paid for, and count from 0."""
        provider.reset()
        provider.answer = self.reader


def one_line(printed: Printed) -> bool:
    """Tell whether a command failed as it should: one line that says why, after its trace."""
    lines = printed.stderr.strip().splitlines()
    said = [line for line in lines if line.startswith("headcount: ")]
    return printed.code == Exit.ERROR and len(said) == 1 and "Traceback" not in printed.stderr


def _asking(home: Path, provider: FakeProvider) -> list[str]:
    place = home / "leases.corpus"
    return command(place, provider, *_resumed(place))


def _resumed(place: Path) -> tuple[str, ...]:
    run = run_in(place)
    return ("--resume", run) if run else ()


def _analysing(home: Path, provider: FakeProvider) -> list[str]:
    asked = _resumed(home / "p.corpus") or (pumpkins.Q,)
    server = ("--model", "writer", "--base-url", provider.url)
    return ["analyse", str(home / "p.corpus"), *asked, "--json", *server]


def _filling(home: Path, provider: FakeProvider) -> list[str]:
    server = ("--model", "writer", "--base-url", provider.url)
    return ["records", "fill", str(home / "h.corpus"), "--json", *server]


def _indexing(home: Path, _: FakeProvider) -> list[str]:
    return ["index", str(home / "documents"), "--into", str(home / "x.corpus")]


def _reviewing(home: Path, _: FakeProvider) -> list[str]:
    return [
        "review",
        str(home / "leases.corpus"),
        "Which leases let the tenant keep one dog?",
        "--json",
    ]


def _verdicts(home: Path, printed: Printed) -> Outcome:
    """Return what a person's verdicts prove, and how often each passage has one."""
    assert printed.code == Exit.ANSWERED, printed.stderr
    answer = Answer.model_validate(printed.answer)
    assert adds_up(answer)
    with Reviews(home / "leases.corpus") as reviews:
        given = Counter((each.document, each.start) for each in reviews.all())
    return answer.value, answer.bounds, answer.coverage, given


def _answer(_: Path, printed: Printed) -> Outcome:
    assert printed.code == Exit.ANSWERED, printed.stderr
    assert adds_up(Answer.model_validate(printed.answer))
    return same_but_for_the_bill(printed.answer)


def _records(home: Path, printed: Printed) -> Outcome:
    assert printed.code == Exit.ANSWERED, printed.stderr
    with closing(RecordStore(home / "h.corpus" / "records" / "records.sqlite")) as store:
        documents = store.documents()
        facts = store.tables().facts
        return documents, [store.records_of(each) for each in documents], facts


def _corpus(home: Path, printed: Printed) -> Outcome:
    assert printed.code == Exit.ANSWERED, printed.stderr
    assert len(list((home / "x.corpus" / "generations").iterdir())) == 1
    return contents(home / "x.corpus")


COMMANDS = {
    "index": Disturbed(arguments=_indexing, left=_corpus, settings={}),
    "ask": Disturbed(arguments=_asking, left=_answer, settings=MANY_REQUESTS, is_run=True),
    "review": Disturbed(arguments=_reviewing, left=_verdicts, settings=_PLAIN, typed="n\n" * 500),
    "fill": Disturbed(arguments=_filling, left=_records, reader=boats.recording, settings=_PLAIN),
    "analyse": Disturbed(
        arguments=_analysing,
        left=_answer,
        reader=pumpkins.weighing,
        settings=_PLAIN,
        is_run=True,
    ),
}


def _fill_the_disk(process: int) -> None:
    """Let no file of a process and of those that it started grow, as on a disk without room."""
    below = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    for each in (process, *map(int, below)):
        hard = resource.prlimit(each, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(each, resource.RLIMIT_FSIZE, (_FULL, hard))


BLOWS: dict[str, Callable[[int], None]] = {
    "kill": lambda process: os.kill(process, signal.SIGKILL),
    "terminate": lambda process: os.kill(process, signal.SIGTERM),
    "full-disk": _fill_the_disk,
}
