"""audit looks at random at what nobody read: it sends back to reading, or bounds and ends."""

import pytest
from pyroaring import BitMap

from graphs.context import Context
from tests.graphs.searching import (
    LOOP,
    Case,
    answer_of,
    bounds_of,
    count_of,
    letters_once,
    purposes,
    ran,
    read_chunks,
    reasoner_for,
    tools_of,
)
from tools.corpus.corpus import Corpus
from tools.decisions import chunks_of

AUDITED = LOOP.model_copy(update={"batch_tokens": 1400})
corpus = letters_once(16, 54)


def searched(corpus: Corpus) -> list[BitMap]:
    """Return what each round of a search reads that finds nothing."""
    nothing = Case(relevant={"c1": frozenset()})
    state = ran(corpus, nothing, AUDITED.model_copy(update={"audit": 0}))
    store = Context(corpus=corpus).store
    return [store.ids(each.selection) for each in state.rounds]


def shy(corpus: Corpus, number: int = 30) -> Case:
    """Return a case whose relevant chunks rank last for a search that finds none: all are lost."""
    unread = BitMap(range(len(corpus))) - BitMap.union(*searched(corpus))
    return Case(relevant={"c1": frozenset(unread[:number])})


def known(corpus: Corpus, found: int) -> Case:
    """Return a case in which the search finds its first chunks and nothing else is relevant."""
    return Case(relevant={"c1": frozenset(searched(corpus)[0][:found])})


def test_a_leaking_audit_of_what_nobody_read_sends_the_search_back_to_reading(
    corpus: Corpus,
) -> None:
    case = shy(corpus)
    reasoner = reasoner_for(corpus, case)
    state = ran(corpus, case, AUDITED, reasoner=reasoner)
    low, high = bounds_of(state)
    assert count_of(state) > 0
    assert low <= len(case.matching(corpus)) <= high
    first = purposes(state).index("audit")
    assert purposes(state)[first + 1] == "search"
    place = tools_of(state).index("audit")
    assert state.history[place].verdict == "again"
    assert tools_of(state)[place + 1] == "read"
    read = read_chunks(reasoner)
    assert len(read) == len(set(read))
    store = Context(corpus=corpus).store
    for look in state.audits:
        sample = BitMap.union(*(store.ids(each.sample) for each in look.strata))
        assert sample <= BitMap(read)
        assert len(sample) <= 15


def test_more_of_a_borderline_document_is_no_leak(corpus: Corpus) -> None:
    doubtful = frozenset(chunks_of(corpus, range(6)))
    case = Case(relevant={"c1": doubtful}, borderline=doubtful)
    state = ran(corpus, case, AUDITED)
    steps = [each for each in state.history if each.call.tool == "audit"]
    assert [each.verdict for each in steps] == ["enough"] * len(steps) != []
    assert any(each.kept for each in steps)


def test_an_audit_that_finds_nothing_bounds_recall_and_count_and_says_so(corpus: Corpus) -> None:
    state = ran(corpus, known(corpus, 5), AUDITED.model_copy(update={"audit": 30}))
    proof = answer_of(state).completeness
    (step,) = [each for each in state.history if each.call.tool == "audit"]
    assert (step.kept, step.discarded) == (0, 30)
    assert state.audits[-1].outcome == "ended"
    assert proof.confidence == 0.95
    assert 0 < (proof.recall_lower_bound or 0) < 1
    assert (proof.audited, proof.audit_hits) == (30, 0)
    assert "30 unread chunks drawn at random" in proof.method
    low, high = bounds_of(state)
    assert low == count_of(state) < high < len(corpus.documents)


def test_an_audit_is_no_larger_than_its_target_needs(corpus: Corpus) -> None:
    case = known(corpus, 8)
    policy = AUDITED.model_copy(update={"audit": 1000, "recall": 0.7})
    state = ran(corpus, case, policy)
    (size,) = [each.size for each in state.rounds if each.purpose == "audit"]
    assert state.audits[-1].outcome == "met"
    assert (answer_of(state).completeness.recall_lower_bound or 0) >= 0.7
    assert answer_of(state).coverage.judged < len(corpus)
    smaller = ran(corpus, case, policy.model_copy(update={"audit": size - 1}))
    assert (answer_of(smaller).completeness.recall_lower_bound or 0) < 0.7


@pytest.mark.parametrize(
    "changed",
    [{"audit": 0}, {"max_audits": 0}],
    ids=["no chunk allowed", "no audit allowed"],
)
def test_without_leave_there_is_no_audit(changed: dict[str, int], corpus: Corpus) -> None:
    state = ran(corpus, known(corpus, 5), AUDITED.model_copy(update=changed))
    answer = answer_of(state)
    assert not state.audits
    assert "audit" not in tools_of(state)
    assert not answer.completeness.audited
    assert "no audit" in answer.completeness.method
    assert answer.completeness.confidence == 1.0
    assert answer.bounds is not None
    assert answer.bounds[0] == answer.value < answer.bounds[1]
    assert answer.likely is None


@pytest.mark.parametrize("most", [1, 2, 3])
def test_audits_end_with_the_last_one_allowed(most: int, corpus: Corpus) -> None:
    policy = AUDITED.model_copy(update={"max_audits": most, "audit": 8})
    state = ran(corpus, shy(corpus, 60), policy)
    assert 1 <= len(state.audits) <= most
    assert state.audits[-1].outcome in {"ended", "met"}
    assert [each.outcome for each in state.audits[:-1]] == ["leaked"] * (len(state.audits) - 1)


def test_who_reads_for_nothing_reads_all_that_is_not_settled(corpus: Corpus) -> None:
    case = known(corpus, 5)
    reasoner = reasoner_for(corpus, case, paid=False)
    state = ran(corpus, case, AUDITED.model_copy(update={"audit": None}), reasoner=reasoner)
    answer = answer_of(state)
    matching = [corpus.document_index(name) for name in case.matching(corpus)]
    unread = set(range(len(corpus))) - set(read_chunks(reasoner))
    assert unread < set(chunks_of(corpus, matching))
    assert answer.coverage.judged == len(corpus) - len(unread)
    assert f"but for {len(unread)} of certain documents" in answer.completeness.method
    assert answer.completeness.recall_lower_bound == answer.completeness.confidence == 1.0
    assert answer.bounds == (len(case.matching(corpus)),) * 2
    assert state.audits[-1].outcome == "met"
