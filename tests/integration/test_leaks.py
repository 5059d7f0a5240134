"""A filter call that an audit finds to blame is undone wherever a limit ends the run."""

import random
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from graphs.apps.exits import Exit
from tests.built import write
from tests.fake_provider.replies import Reply, tool_completion
from tests.fake_provider.server import FakeProvider
from tests.graphs.leaving_out import LEFT_OUT
from tests.graphs.prepared import copied, prepared
from tests.integration.asking import Printed, by_command, same_but_for_the_bill
from tests.integration.hostile import Hostile
from tests.integration.reader import Body, kind_of, prompt_of, read, said
from tests.integration.scattered import LOOP_SETTINGS, PLACES, proven_by

pytestmark = [pytest.mark.slow, pytest.mark.faults]

KINDS = {"windows": 12, "heating": 8, "heating, doors": 4}
"""What leases deal with, and how many do: two filter calls leave the last, one after the other."""
LOST = range(12, 20)
"""The leases that allow parrots in every passage, all of which the second call loses."""
SENTENCES = 56
PARROT = re.compile(r"Paragraph \d+ of lease \d+ lets a parrot live by the \w+\.")
LEAKING = LOOP_SETTINGS | {"HEADCOUNT_AUDIT": "30", LEFT_OUT: "scan feedback"}


def _lease(number: int, subject: str) -> str:
    drawn = random.Random(number)

    def sentence(part: int) -> str:
        parrots = number in LOST and not part % 4
        told = "lets a parrot live by" if parrots else f"deals with {subject} and"
        return f"Paragraph {part} of lease {number} {told} the {drawn.choice(PLACES)}."

    told = " ".join(map(sentence, range(SENTENCES)))
    return f"Title: Lease {number}\n\nLease {number}\n\n{told}\n"


def _reads(text: str, body: Body) -> Reply:
    """Filter by two words one after the other, and know a parrot for a pet."""
    prompt = prompt_of(body)
    called = prompt.partition("What was done before:")[2].count(": keywords(")
    match kind_of(body):
        case "plan" if called < 2:
            words = {"words": [("heating", "doors")[called]], "match": "any"}
            return tool_completion("keywords", words, "animals")
        case "judge":
            return said(proven_by(PARROT, body))
        case _:
            return read(text, body)


@pytest.fixture(scope="module")
def _leases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("leaking")
    subjects = [subject for subject, number in KINDS.items() for _ in range(number)]
    texts = {f"lease-{at:02}.txt": _lease(at, subject) for at, subject in enumerate(subjects)}
    return prepared([write(folder / "leases", texts)], folder / "leases.corpus")


@pytest.fixture
def place(_leases: Path, tmp_path: Path) -> Path:
    return copied(_leases, tmp_path).path


@pytest.fixture
def server(provider: FakeProvider) -> Hostile:
    provider.answer = server = Hostile(reader=_reads)
    return server


def _asked(place: Path, provider: FakeProvider, *more: str) -> Printed:
    return by_command(place, provider, *more, settings=LEAKING)


@dataclass(frozen=True)
class Whole:
    """What a run does and says that nothing ends."""

    answer: dict[str, Any]
    """Its bill left out."""
    calls: int
    until_undone: int
    """Calls until the first audit was read."""


@pytest.fixture
def whole(provider: FakeProvider, place: Path, tmp_path: Path) -> Whole:
    other = tmp_path / "whole.corpus"
    shutil.copytree(place, other)
    provider.answer = server = Hostile(reader=_reads)
    printed = _asked(other, provider)
    assert printed.answer["snapshots"][1]["outcome"] == "rolled_back"
    assert "ruled out, which is undone" in printed.stderr
    sizes = [int(size) for size in re.findall(r"judge (\d+) chunks next", printed.stderr)]
    calls, later = server.sold.total(), sum(sizes[sizes.index(30) + 1 :])
    return Whole(same_but_for_the_bill(printed.answer), calls, calls - later)


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_a_limit_about_it_leaves_a_run_that_goes_on_to_the_same_answer(
    more: int, provider: FakeProvider, whole: Whole, server: Hostile, place: Path
) -> None:
    stopped = _asked(place, provider, "--max-calls", str(whole.until_undone + more))
    assert stopped.code == Exit.BUDGET
    low, high = stopped.answer["bounds"]
    assert low <= len(LOST) <= high
    run = stopped.answer["run"]
    again = _asked(place, provider, "--resume", run, "--max-calls", str(whole.calls))
    assert again.code == Exit.ANSWERED
    assert server.sold.total() == whole.calls
    assert same_but_for_the_bill(again.answer) == whole.answer
