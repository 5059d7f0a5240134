"""Runs made up for these tests: two arms over three questions, one of which may fail."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from agent.answer import Answer
from evals.experiments.arm import Arm
from evals.experiments.collection import Identity
from evals.experiments.environment import Environment
from evals.experiments.experiment import Plan
from evals.experiments.folder import Run
from evals.experiments.measuring import Measured
from evals.experiments.result import Reading, result_of
from evals.names import DocumentNames
from evals.outcome import Outcome
from evals.questions import Record
from evals.scores import score

DOCUMENTS = ("a", "b", "c", "d")
IDS = ("q1", "q2", "q3")
ENVIRONMENT = Environment(
    headcount="1.0",
    source="0" * 64,
    python="3.12.1",
    system="Linux 6",
    machine="x86_64",
    cores=2,
    packages={"numpy": "2.4.0"},
)


@pytest.fixture
def identity() -> Identity:
    return Identity(
        name="letters",
        questions="0" * 64,
        expansion=None,
        rule="record",
        sample=3,
        seed=7,
        available=9,
        ids=IDS,
    )


@pytest.fixture
def run_of(
    identity: Identity, record_of: Callable[..., Record], answer_of: Callable[..., Answer]
) -> Callable[..., Run]:
    """Make a run in which each arm answers so many of the documents to each question, or fails."""

    def measured(arm: str, question: str, found: int | None) -> Measured:
        record = record_of(
            id=question, answer=list(DOCUMENTS), answer_count=4, gold_documents=list(DOCUMENTS)
        )
        error = "" if found is not None else "RunError: it broke"
        answer = None if found is None else answer_of(DOCUMENTS[:found])
        result = result_of(
            score(record, Outcome(answer=answer, error=error), DocumentNames(DOCUMENTS), ()),
            collection=identity.name,
            arm=arm,
            recall_bound=None if found is None else 0.5,
            reading=Reading(chunks=10, tokens=1000, shown=4, gold=2, found_at=(0.1, 0.4)),
            error=error,
        )
        return Measured(result, 1.0)

    def make(**arms: Sequence[int | None]) -> Run:
        plan = Plan(
            name="test",
            arms=tuple(Arm(name=name) for name in arms),
            collections=(identity,),
            seed=0,
        )
        done: list[Any] = [
            measured(name, question, found)
            for name, answers in arms.items()
            for question, found in zip(IDS, answers, strict=False)
        ]
        return Run(plan=plan, measured=tuple(done), environments=(ENVIRONMENT,))

    return make
