"""Readings are tried in the way in which they would be answered."""

from pathlib import Path

import numpy as np
import pytest

from agent.policy import Policy
from agent.reasoners.rules import RulesReasoner
from agent.reasoners.rules.reading.interpret import read_question
from evals.invented.sheet import Sheet, draw_sheets
from evals.invented.trade import TRADES
from graphs.context import Context
from graphs.headcount import build_graph
from tests.graphs.searching import corpus_of
from tools.corpus.corpus import Corpus

SURVEYS = TRADES[0]


@pytest.fixture(scope="module")
def sheets() -> tuple[Sheet, ...]:
    return draw_sheets(SURVEYS, 40, np.random.default_rng(1))


@pytest.fixture(scope="module")
def corpus(sheets: tuple[Sheet, ...], tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    place: Path = tmp_path_factory.mktemp("surveys")
    return corpus_of({each.name: each.text(SURVEYS) for each in sheets}, place)


def test_what_fields_decide_is_not_tried_by_records(corpus: Corpus, sheets: tuple[Sheet, ...]):
    both = sum(each.state == "pending" and each.kind in {"flood", "soil"} for each in sheets)
    either = sum(
        each.kind == "soil" or (each.state == "pending" and each.kind == "flood") for each in sheets
    )
    question = "How many pending flood and soil surveys are there?"
    context = Context(corpus=corpus, reasoner=RulesReasoner(), policy=Policy())
    with context.store:
        answer = build_graph().invoke({"question": question}, context=context)["answer"]
    assert both != either
    assert answer.value == both
    assert any(
        f"({both};" in each and f": {either})" in each for each in answer.interpretation.assumptions
    )


def test_a_field_of_the_documents_own_root_is_a_field(corpus: Corpus):
    (atom,) = read_question("How many surveys have at least 3 surveyors?", corpus).conditions
    assert (atom.field, atom.of, atom.values) == ("Surveyor", "length", ["3"])
