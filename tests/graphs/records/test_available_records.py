"""Which documents the records cover, what is said of the others, and what is refused."""

from agent.records.record import Failure
from agent.records.record_schema import Schema
from graphs.context import Context
from graphs.records.available_records import AtHand, at_hand
from tests.graphs.recorded import DEAR, LEASE, count_of, keep_records, reply
from tests.graphs.records.test_records_graph import Run, run
from tests.integration.asking import adds_up
from tests.scripted import ScriptedReasoner
from tools.corpus.corpus import Corpus
from tools.records.record_store import RecordStore

__all__ = ("run",)

DEARER = count_of(DEAR)


def store_of(corpus: Corpus) -> RecordStore:
    return RecordStore(corpus.path / "records" / "records.sqlite")


def lose_a_part(corpus: Corpus, number: int) -> str:
    store, name = store_of(corpus), corpus.documents[number]
    digest = store.documents()[name].digest
    lost = Failure(document=name, reason="no usable reply", start=5, end=90)
    store.put(name, digest, store.records_of(name), [lost])
    store.close()
    return name


def as_rows(corpus: Corpus) -> None:
    """Say that a document may hold many leases."""
    store = store_of(corpus)
    states = store.documents()
    held = {name: store.records_of(name) for name in states}
    store.write_schema(Schema(kinds=(LEASE.model_copy(update={"grain": "row"}),)))
    for name, records in held.items():
        store.put(name, states[name].digest, records)
    store.close()


def found_in(corpus: Corpus) -> AtHand:
    with at_hand(Context(corpus=corpus, reasoner=ScriptedReasoner({}))) as found:
        assert isinstance(found, AtHand)
        return found


def test_a_document_that_was_read_in_part_is_lacking_and_named(run: Run, corpus: Corpus) -> None:
    keep_records(corpus)
    name = lose_a_part(corpus, 3)
    answer, *_ = run(reply(DEARER))
    assert (answer.value, answer.bounds) == (6, (6, 7))
    assert answer.completeness.method is not None
    assert "records of 11 of 12 documents, 1 read in part" in answer.completeness.method
    assert any(
        f"only parts of 1 document ({name}) could be read" in each for each in answer.warnings
    )
    assert adds_up(answer)


def test_what_is_left_of_a_document_may_hold_any_number_of_rows(run: Run, corpus: Corpus) -> None:
    keep_records(corpus)
    as_rows(corpus)
    assert run(reply(DEARER))[0].bounds == (6, 6)
    lose_a_part(corpus, 3)
    assert run(reply(DEARER))[0].bounds is None


def test_documents_to_be_read_again_are_not_covered(corpus: Corpus) -> None:
    keep_records(corpus)
    store = store_of(corpus)
    first = corpus.documents[0]
    renamed = Schema(kinds=(LEASE.model_copy(update={"name": "flat"}),))
    record, digest = store.records_of(first)[0], store.documents()[first].digest
    store.write_schema(renamed)
    store.put(first, digest, [record.model_copy(update={"kind": "flat"})])
    store.close()
    found = found_in(corpus)
    assert (found.covered, found.failed, found.partial) == ((first,), (), ())
    assert found.lacking == len(corpus.documents) - 1


def test_records_that_all_failed_are_told_of_beside_the_answer_of_the_texts(
    run: Run, corpus: Corpus
) -> None:
    keep_records(corpus)
    store = store_of(corpus)
    for name, state in store.documents().items():
        store.put(name, state.digest, (), [Failure(document=name, reason="no usable reply")])
    store.close()
    answer, state, _ = run()
    assert (state.route and state.route.path) == "text"
    told = "none of 12 documents could be read into records: `headcount records fill` tries again"
    assert any(each.startswith(told) for each in answer.warnings)
