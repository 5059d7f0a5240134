"""The likely range holds what the same judge would count if it read everything, mostly."""

import random
import re
from pathlib import Path

import pytest

from agent.state import State
from evals.ablation import components_of
from graphs.context import Context
from graphs.sessions import Session
from tests.graphs.replies import interpreted
from tests.graphs.searching import (
    LOOP,
    Case,
    answer_of,
    bounds_of,
    corpus_of,
    count_of,
    in_town,
    letters,
    ran,
    reasoner_for,
)
from tools.corpus.corpus import Corpus

SEEDS = 12
AUDITED = LOOP.model_copy(update={"batch_tokens": 1000, "audit": 30})
LOGIC = ("c1", "c1 or c2", "c1 and not c2")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return corpus_of(letters(40, 54), tmp_path_factory.mktemp("likely"))


def scattered(corpus: Corpus, seed: int) -> Case:
    """Return a case whose relevant chunks no words tell: some are lost."""
    drawn = random.Random(seed)
    every = range(len(corpus))
    return Case(
        relevant={
            each: frozenset(drawn.sample(every, drawn.randint(4, 12))) for each in ("c1", "c2")
        },
        reading=interpreted(LOGIC[seed % 3]),
    )


def likely_of(state: State) -> tuple[float, float]:
    told = answer_of(state).likely
    assert told is not None
    return told


def test_it_lies_around_the_value_and_within_the_bounds_and_holds(corpus: Corpus) -> None:
    held, narrower = [], []
    for seed in range(SEEDS):
        case = scattered(corpus, seed)
        state = ran(corpus, case, AUDITED)
        (low, high), (least, most) = likely_of(state), bounds_of(state)
        assert least <= low <= count_of(state) <= high <= most
        held.append(low <= len(case.matching(corpus)) <= high)
        narrower.append(high - low < most - least)
    assert sum(held) >= 0.8 * SEEDS
    assert sum(narrower) > SEEDS / 2


def test_the_same_question_has_the_same_range(corpus: Corpus) -> None:
    case = scattered(corpus, 3)
    assert likely_of(ran(corpus, case, AUDITED)) == likely_of(ran(corpus, case, AUDITED))


@pytest.mark.parametrize(
    ("reading", "audit"),
    [
        pytest.param(interpreted("c1"), 0, id="nothing was audited"),
        pytest.param(interpreted("c1", in_town("c1", "Leeds")), 15, id="code decides"),
    ],
)
def test_there_is_none_without_evidence(
    reading: dict[str, object], audit: int, corpus: Corpus
) -> None:
    case = Case(relevant={"c1": frozenset({1, 40})}, reading=reading)
    state = ran(corpus, case, AUDITED.model_copy(update={"audit": audit}))
    assert answer_of(state).likely is None


def test_a_finished_run_proves_more_with_a_larger_audit(corpus: Corpus, tmp_path: Path) -> None:
    case = Case(relevant={"c1": frozenset({4, 48, 92})})
    context = Context(
        corpus=corpus,
        reasoner=reasoner_for(corpus, case),
        policy=AUDITED,
        components=components_of(AUDITED),
        runs=tmp_path,
    )
    with Session(context) as session:
        list(session.start("How many?", run="r1"))
        first = session.outcome("r1")
        told = re.search(
            r"to prove 95%: (\d+) passages, .*--resume r1 --audit (\d+)", first.completeness.method
        )
        assert told is not None
        assert told[1] == told[2]
        assert list(session.resume("r1")) == []
    larger = AUDITED.model_copy(update={"audit": int(told[1])})
    again = Context(
        corpus=corpus,
        reasoner=reasoner_for(corpus, case),
        policy=larger,
        components=components_of(larger),
        runs=tmp_path,
    )
    with Session(again) as session:
        list(session.resume("r1"))
        more = session.outcome("r1")
        assert more.completeness.audited > first.completeness.audited
        assert (more.completeness.recall_lower_bound or 0) >= 0.95
        assert "to prove" not in more.completeness.method
        assert list(session.resume("r1")) == []
