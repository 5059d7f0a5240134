"""feedback chooses what is read next from everything, and accounts for what it leaves."""

from typing import Any

import pytest

from agent.history import Step
from agent.prompt_values import JudgeValues
from agent.state import State
from tests.graphs.searching import (
    LOOP,
    Case,
    adds_up,
    answer_of,
    corpus_of,
    holding,
    letters,
    purposes,
    ran,
    read_chunks,
    reasoner_for,
    tools_of,
)
from tools.corpus.corpus import Corpus

NO_AUDIT = LOOP.model_copy(update={"audit": 0, "batch_tokens": 700})
CLEAR, VEILED = "keeps a parrot and a rabbit", "keeps a parrot in a cage"
BEARING = 12
"""Letters of the first half that speak of a parrot, every other one in the filter's word."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    texts = letters(2 * BEARING)
    for number, name in enumerate(list(texts)[:BEARING]):
        words = VEILED if number % 2 else CLEAR
        texts[name] = texts[name].replace("Item 17 of", f"Somebody {words} there. Item 17 of")
    return corpus_of(texts, tmp_path_factory.mktemp("feedback"))


def parrots(corpus: Corpus, **told: Any) -> Case:
    """Return a case whose filter keeps half of what is relevant."""
    return Case(relevant={"c1": holding(corpus, "parrot")}, words=("rabbit",), **told)


def steps(state: State, tool: str) -> list[Step]:
    return [step for step in state.history if step.call.tool == tool]


def test_what_a_filter_lost_is_found_by_rounds_that_the_history_tells_with_their_reason(
    corpus: Corpus,
) -> None:
    case = parrots(corpus)
    state = ran(corpus, case, NO_AUDIT)
    told = [(each.kept, each.discarded, each.why) for each in steps(state, "read")]
    assert told == [(each.hits, each.size - (each.hits or 0), each.why) for each in state.rounds]
    assert all(why for _, _, why in told)
    assert [step.round for step in state.history] == list(range(1, len(state.history) + 1))
    answer = answer_of(state)
    assert {each.name for each in answer.entities} == case.matching(corpus)
    assert answer.coverage.judged < len(corpus) / 2


def test_what_to_search_by_is_asked_while_little_was_found_and_leads_there(corpus: Corpus) -> None:
    case = Case(relevant={"c1": holding(corpus, "parrot")}, seek="Somebody keeps a parrot there")
    reader = reasoner_for(corpus, case)
    state = ran(corpus, case, NO_AUDIT, reasoner=reader)
    judged = [each for each in reader.prompts if each.name == "judge"]
    asked = [each.values_as(JudgeValues).seek for each in judged]
    assert not asked[0]
    assert any(asked)
    assert not asked[-1]
    assert any(case.seek in each.seek for each in state.rounds)
    assert {each.name for each in answer_of(state).entities} == case.matching(corpus)


def test_candidates_that_are_left_are_ruled_out_with_a_snapshot(corpus: Corpus) -> None:
    state = ran(corpus, Case(relevant={"c1": frozenset()}), NO_AUDIT)
    (step,) = steps(state, "feedback")
    answer = answer_of(state)
    shot = answer.snapshots[-1]
    assert (shot.tool, shot.id, shot.kept, shot.discarded) == (
        "feedback",
        step.after,
        step.kept,
        step.discarded,
    )
    assert step.kept + step.discarded == len(corpus)
    assert (answer.coverage.pruned, answer.coverage.unseen) == (step.discarded, 0)
    assert state.snapshot == step.after
    assert "found nothing" in step.why
    assert adds_up(state)


@pytest.mark.parametrize("requests", [0, 1, 3])
def test_a_limit_ends_reading_and_nothing_is_chosen_after_it(requests: int, corpus: Corpus) -> None:
    state = ran(corpus, parrots(corpus, requests=requests), LOOP)
    assert answer_of(state).status == "partial"
    assert purposes(state) == ["search"] * len(state.rounds)
    assert state.rounds[-1].hits is None
    assert "feedback" not in tools_of(state)
    assert not state.audits
    assert adds_up(state)


def test_chunks_without_a_verdict_are_not_chosen_again(corpus: Corpus) -> None:
    case = parrots(corpus, broken=holding(corpus, "rabbit"))
    reasoner = reasoner_for(corpus, case)
    state = ran(corpus, case, NO_AUDIT.model_copy(update={"batch_tokens": 1}), reasoner=reasoner)
    read = read_chunks(reasoner)
    assert {read.count(chunk) for chunk in case.broken} == {2}
    assert answer_of(state).coverage.unparsable == len(case.broken)
    assert adds_up(state)
