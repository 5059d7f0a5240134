"""feedback chooses what is read next from everything, and accounts for what it leaves."""

from itertools import pairwise

import pytest

from agent.coverage import ReadingRound
from agent.history import Step
from agent.state import State
from graphs.context import Context
from tests.graphs.replies import interpreted
from tests.graphs.searching import (
    LOOP,
    Case,
    adds_up,
    answer_of,
    corpus_of,
    in_town,
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


def bearing(corpus: Corpus, words: str = "parrot") -> frozenset[int]:
    return frozenset(each for each in range(len(corpus)) if words in corpus.chunk_text(each))


def parrots(corpus: Corpus, **told: object) -> Case:
    """Return a case whose filter keeps half of what is relevant."""
    case: dict[str, object] = {"relevant": {"c1": bearing(corpus)}, "words": ("rabbit",)} | told
    return Case(**case)  # type: ignore[arg-type]


def nothing() -> Case:
    return Case(relevant={"c1": frozenset()})


def steps(state: State, tool: str) -> list[Step]:
    return [step for step in state.history if step.call.tool == tool]


def searches(state: State) -> list[ReadingRound]:
    return [each for each in state.rounds if each.purpose == "search"]


def test_every_round_of_reading_is_in_the_history_with_its_reason(corpus: Corpus) -> None:
    state = ran(corpus, parrots(corpus), NO_AUDIT)
    told = [(each.kept, each.discarded, each.why) for each in steps(state, "read")]
    assert told == [(each.hits, each.size - (each.hits or 0), each.why) for each in state.rounds]
    assert all(why for _, _, why in told)
    assert [step.round for step in state.history] == list(range(1, len(state.history) + 1))


def test_a_round_counts_the_chunks_that_were_relevant(corpus: Corpus) -> None:
    state = ran(corpus, parrots(corpus), NO_AUDIT)
    store = Context(corpus=corpus).store
    for each in state.rounds:
        assert each.hits == len(bearing(corpus) & set(store.ids(each.selection)))


def test_no_chunk_is_read_twice(corpus: Corpus) -> None:
    reasoner = reasoner_for(corpus, parrots(corpus))
    ran(corpus, parrots(corpus), LOOP, reasoner=reasoner)
    read = read_chunks(reasoner)
    assert len(read) == len(set(read)) < len(corpus)


def test_what_a_filter_lost_is_found_by_its_likeness_to_what_was_read(corpus: Corpus) -> None:
    case = parrots(corpus)
    state = ran(corpus, case, NO_AUDIT)
    answer = answer_of(state)
    assert {each.name for each in answer.entities} == case.matching(corpus)
    assert answer.coverage.judged < len(corpus) / 2


def test_without_feedback_what_a_filter_lost_stays_lost(corpus: Corpus) -> None:
    state = ran(corpus, parrots(corpus), NO_AUDIT.model_copy(update={"feedback": False}))
    (only,) = state.rounds
    assert only.size == len(bearing(corpus, "rabbit"))
    assert answer_of(state).value == BEARING // 2


def test_candidates_that_are_left_are_ruled_out_with_a_snapshot(corpus: Corpus) -> None:
    state = ran(corpus, nothing(), NO_AUDIT)
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


def test_where_every_candidate_was_read_there_is_nothing_to_rule_out(corpus: Corpus) -> None:
    everything = Case(relevant={"c1": frozenset(range(len(corpus)))})
    state = ran(corpus, everything, NO_AUDIT)
    assert "feedback" not in tools_of(state)
    assert not answer_of(state).snapshots
    assert answer_of(state).coverage.judged == len(corpus)


def test_few_candidates_are_all_read_first(corpus: Corpus) -> None:
    state = ran(corpus, parrots(corpus), NO_AUDIT.model_copy(update={"few_candidates": 40}))
    store = Context(corpus=corpus).store
    assert frozenset(store.ids(state.rounds[0].selection)) == bearing(corpus, "rabbit")
    assert "few enough" in state.rounds[0].why


@pytest.mark.parametrize("wave", [1, 2, 4])
def test_rounds_grow_while_they_are_rich_up_to_a_wave(wave: int, corpus: Corpus) -> None:
    everything = Case(relevant={"c1": frozenset(range(len(corpus)))})
    state = ran(corpus, everything, NO_AUDIT.model_copy(update={"wave": wave}))
    first, *later = [each.size for each in state.rounds]
    for number, size in enumerate(later[:-1], start=1):
        assert size == pytest.approx(first * min(2**number, wave), rel=0.45)


def test_rounds_that_bring_nothing_stay_small(corpus: Corpus) -> None:
    first, *later = [each.size for each in ran(corpus, nothing(), NO_AUDIT).rounds]
    assert later == [pytest.approx(first, rel=0.45)] * len(later)


def test_a_poor_round_makes_the_next_one_small_again(corpus: Corpus) -> None:
    rounds = searches(ran(corpus, parrots(corpus), NO_AUDIT))
    first = rounds[0].size
    after_poor = [
        each.size for before, each in pairwise(rounds) if (before.hits or 0) < 0.3 * before.size
    ]
    assert after_poor
    assert all(size < 1.5 * first for size in after_poor)


def test_a_lower_recall_ends_reading_earlier(corpus: Corpus) -> None:
    def read(recall: float) -> int:
        policy = NO_AUDIT.model_copy(update={"recall": recall, "batch_tokens": 250})
        return sum(each.size for each in ran(corpus, parrots(corpus), policy).rounds)

    assert read(0.5) < read(0.99)


def test_a_limit_of_filter_calls_is_told(corpus: Corpus) -> None:
    reasoner = reasoner_for(corpus, parrots(corpus))
    policy = NO_AUDIT.model_copy(update={"max_rounds": 1})
    state = ran(corpus, parrots(corpus), policy, reasoner=reasoner)
    assert "filtering ended early: limit: 1 rounds" in state.warnings


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
    case = parrots(corpus, broken=bearing(corpus, "rabbit"))
    reasoner = reasoner_for(corpus, case)
    state = ran(corpus, case, NO_AUDIT.model_copy(update={"batch_tokens": 1}), reasoner=reasoner)
    read = read_chunks(reasoner)
    assert {read.count(chunk) for chunk in case.broken} == {2}
    assert answer_of(state).coverage.unparsable == len(case.broken)
    assert adds_up(state)


def test_a_question_that_fields_decide_reads_nothing(corpus: Corpus) -> None:
    case = Case(relevant={}, reading=interpreted("c1", in_town("c1", "York")))
    state = ran(corpus, case)
    assert (state.rounds, state.audits) == ((), ())
