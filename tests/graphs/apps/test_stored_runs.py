"""`headcount runs` says of each run how it ended, what it waits for, or that it was killed."""

from pathlib import Path

from graphs.apps.exits import Exit
from graphs.apps.stored_runs import stored_run
from graphs.runs.beside import RunsBeside
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import Flags, Q, run
from tests.integration.reader import doubting
from tools.corpus.corpus import Corpus
from tools.runs.store import RunStore


def listed(place: Path) -> list[str]:
    """Return how each run stands, the newest first."""
    return [line.split("\t")[2] for line in run("runs", place).stdout.splitlines()]


def test_a_review_that_its_reader_stopped(place: Path, corpus: Corpus) -> None:
    assert run("review", place, Q, input="q").exit_code == Exit.BUDGET
    assert listed(place) == ["stopped, can go on"]
    name = run("runs", place).stdout.partition("\t")[0]
    with stored_run(str(place), name) as found, found.session.place.working_on(found.run):
        found.store.set_status(found.run, "running")
        assert listed(place) == ["a person is reading"]


def test_runs_are_told_apart_by_how_they_ended(
    place: Path, model: Flags, provider: FakeProvider
) -> None:
    assert run("ask", place, "Which zeppelins?").exit_code == Exit.ERROR
    assert run("ask", place, Q).exit_code == Exit.CANDIDATES
    assert run("ask", place, "How many documents mention a dog?").exit_code == Exit.ANSWERED
    for limit in (0, 1, 4):
        assert run("ask", place, Q, "--max-calls", limit, *model).exit_code == Exit.BUDGET
    provider.answer = doubting
    waits = run("ask", place, f"{Q} Now?", "--on-ambiguity", "ask", *model)
    assert waits.exit_code == Exit.WAITING
    ended = ["waiting for a reply", *["limit reached"] * 3, "answered", "candidates", "declined"]
    assert listed(place) == ended
    declined = run("runs", place).stdout.splitlines()[-1].partition("\t")[0]
    for flags in ((), ("--chunk", "0")):
        told = run("report", place, declined, *flags).stderr
        assert "was declined: cannot place “zeppelins”" in told


def test_a_run_that_somebody_works_on_is_running_in_all_its_readings(
    place: Path, corpus: Corpus
) -> None:
    with RunStore(corpus.runs / "runs.sqlite") as store:
        for name in ("other", "r", "r.1"):
            store.create(name, Q, "d", "v", "m", "2020-01-01T00:00:00+00:00")
        store.set_status("other", "failed")
    with RunsBeside(corpus.runs).working_on("r"):
        assert listed(place) == ["running", "running", "failed"]
    assert listed(place) == ["interrupted", "interrupted", "failed"]
