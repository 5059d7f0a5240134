"""What baselines share: passages that fit, what is computed from them, and how it is booked."""

from typing import Any

import pytest

from agent.answer import Answer
from agent.evidence import Entity, Evidence, Finding
from agent.question import MEASURE, AllOf, Condition, Interpretation, Measure, Not, Predicate
from evals.baselines.attempt import Attempt
from evals.baselines.combining import combined, unaided
from graphs.context import Context
from tests.scripted import ScriptedReasoner
from tools.corpus.corpus import Corpus


def _answer(corpus: Corpus, **fields: Any) -> Answer:
    context = Context(corpus=corpus, reasoner=ScriptedReasoner({}))
    with context.store:
        return Attempt(question="How many?", context=context, **fields).conclude()


def _quote(corpus: Corpus, document: str, words: str) -> Evidence:
    start = corpus.document_text(corpus.document_index(document)).index(words)
    end = start + len(words)
    return Evidence(document=document, start=start, end=end, quote=words, condition="")


def test_chunks_are_matched_read_failed_or_ruled_out(bridges: Corpus) -> None:
    quote = _quote(bridges, "report-1", "rust on the girders")
    first = bridges.chunks_at(1, quote.start, quote.end)
    item = Entity(name="Report 1", documents=("report-1",), evidence=(quote,))
    shown = {*first, 40}
    coverage = _answer(bridges, items=(item,), shown=shown, failed={50, 51}).coverage
    assert (coverage.judged, coverage.matched) == (len(shown), len(first))
    assert (coverage.failed, coverage.pruned) == (2, len(bridges) - len(shown) - 2)
    assert _answer(bridges, items=(item,), shown={40}).coverage.matched == 0


@pytest.mark.parametrize(
    ("name", "documents"),
    [
        ("report-3", ("report-3",)),
        ("Report 3", ("report-3",)),
        ("the report 3", ("report-3",)),
        ("Report 99", ()),
    ],
)
def test_an_item_that_bears_a_documents_name_stands_for_it(
    name: str, documents: tuple[str, ...], bridges: Corpus
) -> None:
    (entity,) = _answer(bridges, items=(Entity(name=name),)).entities
    assert entity.documents == documents


@pytest.mark.parametrize(("value", "told"), [(None, None), (3.0, 3), (2.5, 2.5)])
def test_a_whole_number_is_whole(value: float | None, told: float | None, bridges: Corpus) -> None:
    assert repr(_answer(bridges, value=value).value) == repr(told)


RUST, SHUT = Condition(id="c1", text="rusty"), Condition(id="c2", text="shut")
BOTH = Interpretation(text="?", entity_type="bridge", conditions=AllOf(parts=(RUST, SHUT)))


def _stated(name: str, condition: str, value: float | None = None) -> Finding:
    place = {"chunk": 0, "document": "a", "start": 0, "end": 1, "quote": "q"}
    return Finding(entity=name, condition=condition, value=value, **place)


def test_conditions_meet_at_the_document() -> None:
    told = [_stated("a", "c1"), _stated("b", "c1"), _stated("a", "c2"), _stated("c", "c2")]
    found, computed = combined(BOTH, told, ["a", "b", "c"])
    assert list(found) == ["a"]
    assert computed.value == 1


def test_a_document_that_was_read_satisfies_a_negation_by_silence() -> None:
    reading = BOTH.model_copy(update={"conditions": AllOf(parts=(RUST, Not(part=SHUT)))})
    told = [_stated("a", "c1"), _stated("b", "c1"), _stated("b", "c2")]
    assert list(combined(reading, told, ["a", "b", "unread"])[0]) == ["a"]
    silent = BOTH.model_copy(update={"conditions": Not(part=SHUT)})
    assert list(combined(silent, told, ["a", "b", "c"])[0]) == ["a", "c"]


def test_names_in_other_spelling_are_one() -> None:
    reading = BOTH.model_copy(update={"grain": "entity"})
    told = [_stated("Mill  Bridge", "c1"), _stated("the mill bridge", "c2"), _stated("Weir", "c1")]
    assert list(combined(reading, told, ["a"])[0]) == ["Mill  Bridge"]


def test_numbers_are_computed_over_what_matches() -> None:
    reading = BOTH.model_copy(
        update={"operation": "avg", "measure": Measure(text="span"), "conditions": RUST}
    )
    measured = [_stated(*each) for each in (("a", MEASURE, 99), ("b", MEASURE, 20))]
    told = [_stated("a", "c1", 10), *measured, _stated("b", "c1"), _stated("c", MEASURE, 70)]
    assert combined(reading, told, ["a", "b", "c"])[1].value == 15


def test_a_reader_of_passages_has_no_fields() -> None:
    field = Predicate(field="State", comparison="is", values=("shut",))
    decided = SHUT.model_copy(update={"predicate": field})
    reading = BOTH.model_copy(
        update={
            "conditions": AllOf(parts=(RUST, Not(part=decided))),
            "measure": Measure(text="span", field="Span"),
            "entity_field": "Bridge",
        }
    )
    bare = unaided(reading)
    assert bare.conditions == AllOf(parts=(RUST, Not(part=SHUT)))
    assert bare.measure == Measure(text="span")
    assert bare.entity_field is None


def test_what_does_not_fit_is_left_out_and_told(bridges: Corpus) -> None:
    chunks = range(20)
    reader = ScriptedReasoner({}, context_tokens=2200, reply_tokens=100)
    narrow = Attempt(question="?", context=Context(corpus=bridges, reasoner=reader))
    some = narrow.fitted(chunks)
    held = len(some)
    assert 0 < held < 20
    assert [each.chunk for each in some] == [*chunks[:held]]
    assert narrow.warnings == [f"{20 - held} of 20 passages did not fit in the model's context"]
    assert len(narrow.fitted(chunks, besides="rust " * 300)) < held
