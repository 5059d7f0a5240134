"""The likely range holds what the same judge would count if it read everything, mostly."""

import random
import re
from pathlib import Path

import pytest

from agent.answer import Answer
from agent.policy import Policy
from evals.ablation import context_under
from graphs.sessions import Session
from tests.graphs.replies import interpreted
from tests.graphs.searching import LOOP, Case, answer_of, in_town, letters_once, ran, reasoner_for
from tools.corpus.corpus import Corpus

SEEDS = 18
AUDITED = LOOP.model_copy(update={"batch_tokens": 1000, "audit": 30})
corpus = letters_once(40, 54)


def scattered(corpus: Corpus, seed: int) -> Case:
    """Return a case whose relevant chunks no words tell: some are lost."""
    drawn, every = random.Random(seed), range(len(corpus))
    found = {each: frozenset(drawn.sample(every, drawn.randint(4, 12))) for each in ("c1", "c2")}
    logic = ("c1", "c1 or c2", "c1 and not c2")[seed % 3]
    return Case(relevant=found, reading=interpreted(logic))


@pytest.mark.slow
def test_it_lies_around_the_value_and_within_the_bounds_and_holds(corpus: Corpus) -> None:
    held, narrower, ranges = 0, 0, 0
    for seed in range(SEEDS):
        case = scattered(corpus, seed)
        told = answer_of(ran(corpus, case, AUDITED))
        assert told.bounds is not None
        if told.likely is None:  # all was read: nothing is left to be likely
            assert told.bounds[0] == told.bounds[1] == len(case.matching(corpus))
            continue
        ranges += 1
        (low, high), (least, most) = told.likely, told.bounds
        assert isinstance(told.value, int)
        assert least <= low <= told.value <= high <= most
        held += low <= len(case.matching(corpus)) <= high
        narrower += high - low < most - least
    assert held >= 0.8 * ranges > 0.6 * SEEDS
    assert narrower > ranges / 2
    assert answer_of(ran(corpus, case, AUDITED)).likely == told.likely


def test_there_is_none_where_code_decides(corpus: Corpus) -> None:
    leeds = Case(relevant={}, reading=interpreted("c1", in_town("c1", "Leeds")))
    answer = answer_of(ran(corpus, leeds, AUDITED))
    assert answer.bounds is not None
    assert answer.likely is None


def proven(corpus: Corpus, runs: Path, policy: Policy, run: str = "r1") -> Answer:
    """Ask or resume a run, and resume it once more, which changes nothing; r2 is a person's."""
    reader = reasoner_for(corpus, Case(relevant={"c1": frozenset(range(4, 400, 33))}))
    reader.abilities = frozenset({"judge"}) if run == "r2" else reader.abilities
    with Session(context_under(policy, corpus, reader, runs=runs)) as session:
        known = session.context.store.answer(run)
        list(session.resume(run) if known else session.start("How many?", run=run))
        told = session.outcome(run)
        assert list(session.resume(run)) == []
    return told


def test_a_finished_run_proves_more_with_a_larger_audit(corpus: Corpus, tmp_path: Path) -> None:
    first = proven(corpus, tmp_path, AUDITED).completeness
    cost = re.search(r"to prove 95%: (\d+) passages, .*--resume r1 --audit \1$", first.method)
    assert cost is not None
    more = proven(corpus, tmp_path, AUDITED.model_copy(update={"audit": int(cost[1])})).completeness
    assert more.audited > first.audited
    assert more.recall_lower_bound is not None
    assert more.recall_lower_bound >= 0.95
    assert "to prove" not in more.method


def test_a_person_whose_review_draws_anew_is_told_the_whole_sample(
    corpus: Corpus, tmp_path: Path
) -> None:
    told = proven(corpus, tmp_path, AUDITED, "r2").completeness
    more = re.search(r"to prove 95%: (\d+) passages more, .*: --audit (\d+)$", told.method)
    assert more is not None
    assert int(more[2]) == int(more[1]) + told.audited
