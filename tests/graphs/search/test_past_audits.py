"""An audit with hits sends the search back to reading, by rank among all that is unread."""

from pyroaring import BitMap

from agent.history import Step
from agent.policy import Policy
from agent.state import State
from graphs.context import Context
from tests.graphs.searching import (
    LOOP,
    Case,
    adds_up,
    answer_of,
    bounds_of,
    count_of,
    letters_once,
    purposes,
    ran,
)
from tools.corpus.corpus import Corpus

WORDS = ("apple",)
"""What the filter looks for: about half of the chunks have it."""
AUDITED = LOOP.model_copy(update={"batch_tokens": 700, "audit": 40})
corpus = letters_once(16, 54)


def kept(corpus: Corpus) -> frozenset[int]:
    """Return what the filter keeps."""
    texts = enumerate(map(corpus.chunk_text, range(len(corpus))))
    return frozenset(number for number, text in texts if any(word in text for word in WORDS))


def unread(corpus: Corpus, policy: Policy = AUDITED) -> list[int]:
    """Return what is not read before the audit by a search that finds nothing."""
    state = ran(corpus, Case(relevant={"c1": frozenset()}, words=WORDS), policy)
    read = read_before_the_audit(state, corpus)
    return [chunk for chunk in range(len(corpus)) if chunk not in read]


def lossy(corpus: Corpus) -> Case:
    """Return a case whose filter loses all that is relevant, half of what it rules out."""
    lost = sorted(set(unread(corpus)) - kept(corpus))
    return Case(relevant={"c1": frozenset(lost[::2])}, words=WORDS)


def spread(corpus: Corpus) -> Case:
    """Return a case of which much is left everywhere."""
    return Case(relevant={"c1": frozenset(unread(corpus)[::3])}, words=WORDS)


def read_before_the_audit(state: State, corpus: Corpus) -> BitMap:
    store = Context(corpus=corpus).store
    first = purposes(state).index("audit")
    return BitMap().union(*(store.ids(each.selection) for each in state.rounds[:first]))


def audits(state: State) -> list[Step]:
    return [step for step in state.history if step.call.tool == "audit"]


def test_hits_leave_the_candidates_and_send_the_search_back(corpus: Corpus) -> None:
    state = ran(corpus, spread(corpus), AUDITED)
    (step, *_) = audits(state)
    assert step.kept > 0
    assert (step.verdict, step.before) == ("again", step.after)
    assert adds_up(state)


def test_what_a_filter_lost_is_found_and_the_bounds_hold(corpus: Corpus) -> None:
    case = lossy(corpus)
    without = ran(corpus, case, AUDITED.model_copy(update={"audit": 0}))
    state = ran(corpus, case, AUDITED)
    low, high = bounds_of(state)
    assert answer_of(without).value == 0
    assert low <= len(case.matching(corpus)) <= high
    found = count_of(state) / len(case.matching(corpus))
    assert found > 0.8
    assert (answer_of(state).completeness.recall_lower_bound or 0) <= found
