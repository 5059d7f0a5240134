"""What the audits prove is said of chunks and of documents, and never more than that."""

import pytest

from agent.policy import Policy
from agent.question import Condition, Interpretation, Not, Predicate
from agent.state import State
from graphs.context import Context
from graphs.search.completeness import Proof, completeness, prove
from graphs.search.lacking import counted_as, lacking
from tests.graphs.replies import interpreted
from tests.graphs.searching import (
    LOOP,
    NAMES,
    Case,
    answer_of,
    corpus_of,
    count_of,
    in_town,
    letters,
    ran,
    reasoner_for,
)
from tools.corpus.corpus import Corpus

AUDITED = LOOP.model_copy(update={"batch_tokens": 1400, "audit": 30})
NOT_READ = LOOP.model_copy(update={"feedback": False, "audit": 0})
"""What the filter keeps is read, and nothing else."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return corpus_of(letters(16, 54), tmp_path_factory.mktemp("completeness"))


def about(corpus: Corpus, word: str) -> frozenset[int]:
    texts = enumerate(map(corpus.chunk_text, range(len(corpus))))
    return frozenset(number for number, text in texts if word in text)


def filtered(corpus: Corpus, logic: str = "c1", **told: object) -> Case:
    """Return a case of which the filter keeps all that is relevant."""
    found = frozenset(sorted(about(corpus, "apple"))[:6])
    relevant = {"c1": found, "c2": found}
    return Case(relevant=relevant, reading=interpreted(logic, **told), words=("apple",))


def proven(corpus: Corpus, state: State, policy: Policy = AUDITED) -> Proof:
    context = Context(corpus=corpus, reasoner=reasoner_for(corpus, filtered(corpus)), policy=policy)
    return prove(state, context)


def test_where_all_was_read_nothing_is_missing(corpus: Corpus) -> None:
    case = Case(relevant={"c1": frozenset(range(len(corpus)))})
    state = ran(corpus, case, AUDITED)
    proof = proven(corpus, state)
    assert (proof.chunks.missed, proof.chunks.recall, proof.chunks.confidence) == (0, 1.0, 1.0)
    assert proof.documents is not None
    assert proof.documents.missed == 0
    assert (
        completeness(state, proof, Context(corpus=corpus)).method
        == "every candidate chunk was judged"
    )


def test_without_an_audit_whatever_is_unread_may_be_missing(corpus: Corpus) -> None:
    state = ran(corpus, filtered(corpus), NOT_READ)
    proof = proven(corpus, state)
    assert proof.chunks.missed == len(corpus) - len(about(corpus, "apple"))
    assert proof.chunks.confidence == 1.0
    assert proof.in_words.startswith("no audit")
    assert str(proof.chunks.missed) in proof.in_words


def test_an_audit_proves_more_of_documents_than_their_number(corpus: Corpus) -> None:
    state = ran(corpus, filtered(corpus), NOT_READ.model_copy(update={"audit": 60}))
    proof = proven(corpus, state)
    assert proof.chunks.audited == 60
    assert proof.documents is not None
    found = count_of(state)
    assert proof.documents.found == found
    assert proof.documents.missed <= min(proof.chunks.missed, len(corpus.documents) - found)


@pytest.mark.parametrize(
    ("logic", "told", "bounded"),
    [
        ("c1", {}, True),
        ("c1 or c2", {}, True),
        ("c1 and c2", {}, True),
        ("not c1", {}, False),
        ("c1 and not c2", {}, False),
        ("c1", {"grain": "entity"}, False),
        ("c1", {"entity_field": "Town"}, False),
    ],
)
def test_documents_are_bounded_where_reading_can_only_add_some(
    logic: str, told: dict[str, object], bounded: bool, corpus: Corpus
) -> None:
    case = filtered(corpus, logic, **told)
    case = Case(
        relevant=case.relevant,
        reading=case.reading,
        words=case.words,
        named=lambda chunk: [NAMES[chunk % len(NAMES)] if "grain" in told else ""],
    )
    proof = proven(corpus, ran(corpus, case, NOT_READ))
    assert (proof.documents is not None) == bounded


def test_a_field_under_a_negation_leaves_documents_bounded(corpus: Corpus) -> None:
    reading = interpreted("c1 and not c2", *interpreted("c1")["conditions"], in_town("c2", "York"))
    case = Case(relevant=filtered(corpus).relevant, reading=reading, words=("apple",))
    assert proven(corpus, ran(corpus, case, NOT_READ)).documents is not None


def test_fields_alone_leave_nothing_open(corpus: Corpus) -> None:
    case = Case(relevant={}, reading=interpreted("c1", in_town("c1", "York")))
    told = answer_of(ran(corpus, case, AUDITED)).completeness
    assert (told.recall_lower_bound, told.confidence, told.audited) == (1.0, 1.0, 0)
    assert told.method == "metadata fields of every document"


def test_where_nothing_was_found_no_share_is_stated(corpus: Corpus) -> None:
    case = Case(relevant={"c1": frozenset()}, words=("apple",))
    told = answer_of(ran(corpus, case, NOT_READ)).completeness
    assert (told.recall_lower_bound, told.confidence) == (None, None)


def test_a_share_is_what_was_found_of_all_there_can_be(corpus: Corpus) -> None:
    state = ran(corpus, filtered(corpus), NOT_READ.model_copy(update={"audit": 60}))
    proof = proven(corpus, state)
    found = proof.chunks.found
    assert found == len(filtered(corpus).relevant["c1"])
    assert completeness(state, proof, Context(corpus=corpus)).recall_lower_bound == pytest.approx(
        found / (found + proof.chunks.missed)
    )


def test_chunks_without_a_verdict_may_hold_something(corpus: Corpus) -> None:
    case = filtered(corpus)
    broken = frozenset(sorted(case.relevant["c1"])[:2])
    spoilt = Case(relevant=case.relevant, words=case.words, broken=broken)
    policy = LOOP.model_copy(update={"audit": None, "batch_tokens": 1400})
    reads = reasoner_for(corpus, spoilt, paid=False)
    state = ran(corpus, spoilt, policy, reasoner=reads)
    proof, lost = proven(corpus, state), answer_of(state).coverage.unparsable
    assert lost >= len(broken)
    assert proof.chunks.missed == lost
    assert answer_of(state).completeness.recall_lower_bound != 1.0


def test_a_second_audit_only_adds_to_what_is_proven(corpus: Corpus) -> None:
    late = frozenset(range(len(corpus) - 40, len(corpus), 3))
    case = Case(relevant={"c1": late}, words=("apple",))
    policy = NOT_READ.model_copy(update={"audit": 16, "max_audits": 3})
    state = ran(corpus, case, policy)
    proof = proven(corpus, state, policy)
    assert proof.chunks.looks == len(state.audits) > 1
    assert 16 < proof.chunks.audited <= 16 * len(state.audits)
    assert proof.chunks.found == answer_of(state).coverage.matched


def test_doubtful_words_count_as_found(corpus: Corpus) -> None:
    case = filtered(corpus)
    doubtful = Case(relevant=case.relevant, words=case.words, borderline=case.relevant["c1"])
    certain, borderline = (proven(corpus, ran(corpus, each, NOT_READ)) for each in (case, doubtful))
    assert certain.chunks == borderline.chunks


def test_documents_without_a_deciding_field_are_told_of(corpus: Corpus) -> None:
    red = Predicate(field="Colour", comparison="is", values=("red",))
    asked = Condition(id="c1", text="is red", predicate=red)
    reading = Interpretation(text="?", entity_type="letter", conditions=asked)
    state = State(question="?", interpretation=reading)
    assert lacking(state.interpretation, Context(corpus=corpus)) == {
        "Colour": len(corpus.documents)
    }
    denied = reading.model_copy(update={"conditions": Not(part=asked)})
    assert counted_as("Colour", 2, reading) == "count as not matching"
    assert counted_as("Colour", 1, denied) == "counts as matching, since it is denied"
