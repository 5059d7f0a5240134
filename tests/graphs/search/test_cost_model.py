"""What it pays to do depends on what reading costs and on how much there is to read."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from agent.history import Step
from agent.policy import Policy
from agent.question import Condition, Interpretation
from agent.state import State
from evals.ablation import Ablation
from graphs.context import Context
from graphs.search.cost_model import (
    allowed_audit,
    cheaper_way,
    choose,
    filled,
    read_at_once,
    round_limits,
    unfiltered,
)
from tests.graphs.searching import context_of, letters_once, step
from tests.scripted import ScriptedReasoner
from tools.corpus.corpus import Corpus
from tools.packing import in_order

ABOUT = Condition(id="c1", text="is about it")
READING = Interpretation(text="?", entity_type="letter", conditions=ABOUT)
corpus = letters_once(10)


def context(corpus: Corpus, policy: Policy | None = None, **model: Any) -> Context:
    return context_of(corpus, ScriptedReasoner({}, **model), policy)


def state(given: Context, size: int, history: tuple[Step, ...] = ()) -> State:
    snapshot = given.store.put_ids(BitMap(range(size)))
    return State(question="?", run="r", interpretation=READING, snapshot=snapshot, history=history)


@pytest.mark.parametrize(
    ("audit", "paid", "allowed"),
    [(None, False, 5000), (0, False, 0), (0, True, 0), (7, True, 7), (7, False, 7)],
)
def test_an_audit_is_the_policys_or_large_where_reading_is_free(
    audit: int | None, paid: bool, allowed: int, corpus: Corpus
) -> None:
    assert allowed_audit(context(corpus, Policy(audit=audit), paid=paid)) == allowed


@given(tokens=st.integers(1, 3000), requests=st.integers(1, 8), order=st.permutations(range(40)))
def test_a_round_fills_its_requests_with_the_best(
    corpus: Corpus, tokens: int, requests: int, order: list[int]
) -> None:
    given_ = context(corpus, Policy(batch_tokens=tokens))
    whole = state(given_, len(corpus))
    limits = round_limits(whole, given_, ())
    chosen = filled(order, (), whole, given_, requests=requests)
    assert chosen == order[: len(chosen)] != []
    costs = limits.costs(corpus.chunk_tokens)
    one_more = order[: len(chosen) + 1]
    assert len(in_order(chosen, costs, limits)) <= requests
    assert one_more == chosen or len(in_order(one_more, costs, limits)) > requests


def test_a_small_corpus_is_read_at_once_where_that_is_cheaper(corpus: Corpus) -> None:
    given_ = context(corpus, Policy(few_candidates=0))
    whole = state(given_, len(corpus))
    assert cheaper_way(whole, given_).way == "scan"
    assert read_at_once(whole, given_) == cheaper_way(whole, given_).why != ""


@pytest.mark.parametrize(
    ("policy", "paid", "history"),
    [
        pytest.param(Ablation(few_candidates=0, scan=False), True, (), id="a policy against it"),
        pytest.param(Policy(few_candidates=0), False, (), id="reading is free"),
        pytest.param(Policy(few_candidates=0), True, (step("keywords"),), id="a filter narrowed"),
    ],
)
def test_a_small_corpus_is_not_read_at_once(
    policy: Policy, paid: bool, history: tuple[Step, ...], corpus: Corpus
) -> None:
    given_ = context(corpus, policy, paid=paid)
    assert read_at_once(state(given_, len(corpus), history), given_) == ""


def test_a_middling_corpus_is_ranked_without_filters(corpus: Corpus) -> None:
    given_ = context(corpus, Policy(few_candidates=0, audit=5, batch_tokens=300))
    whole = state(given_, len(corpus))
    assert cheaper_way(whole, given_).way == "rank"
    assert unfiltered(whole, given_) == cheaper_way(whole, given_).why
    assert read_at_once(whole, given_) == ""


@pytest.mark.parametrize(
    ("chunks", "way", "verdict"),
    [
        (100, "scan", "so all are judged, and none can be missed"),
        (500, "rank", "so no filter is called"),
        (20_000, "filter", "so it filters first"),
    ],
)
def test_filters_pay_from_some_size_on(chunks: int, way: str, verdict: str) -> None:
    choice = choose(chunks, chunks * 200, audit=100, fits=5_000)
    assert choice.way == way
    assert choice.why.endswith(verdict)
