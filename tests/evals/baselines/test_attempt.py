"""What baselines share: passages that fit, what is computed from them, and how it is booked."""

from typing import Any

import pytest

from agent.answer import Answer
from agent.evidence import Entity, Evidence, Finding
from agent.question import MEASURE, AllOf, Condition, Interpretation, Measure, Not, Predicate
from evals.baselines.attempt import Attempt, combined, unaided
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


def _reading(**changed: Any) -> Interpretation:
    return BOTH.model_copy(update=changed)


def _stated(at: int, name: str, condition: str, value: float | None = None) -> Finding:
    place = {"chunk": 0, "document": "a", "start": at, "end": at + 1, "quote": "q"}
    return Finding(entity=name, condition=condition, value=value, **place)


COMBINED: dict[str, tuple[Interpretation, list[tuple[Any, ...]], list[str], float]] = {
    "conditions meet at the document":
        (BOTH, [("a", "c1"), ("b", "c1"), ("a", "c2"), ("c", "c2")], ["a"], 1),
    "a document that was read satisfies a negation by silence": (
        _reading(conditions=AllOf(parts=(RUST, Not(part=SHUT)))),
        [("a", "c1"), ("b", "c1"), ("b", "c2")], ["a"], 1,
    ),
    "of a negation alone": (_reading(conditions=Not(part=SHUT)), [("b", "c2")], ["a", "c"], 2),
    "names in other spelling are one": (
        _reading(grain="entity"),
        [("Mill  Bridge", "c1"), ("the mill bridge", "c2"), ("Weir", "c1")], ["Mill  Bridge"], 1,
    ),
    "numbers are computed over what matches": (
        _reading(operation="avg", measure=Measure(text="span"), conditions=RUST),
        [("a", "c1", 10), ("a", MEASURE, 99), ("b", MEASURE, 20), ("b", "c1"), ("c", MEASURE, 70)],
        ["a", "b"], 15,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("reading", "told", "names", "value"), COMBINED.values(), ids=COMBINED)
def test_what_is_stated_is_put_together(
    reading: Interpretation, told: list[tuple[Any, ...]], names: list[str], value: float
) -> None:
    stated = [_stated(at, *each) for at, each in enumerate(told)]
    found, computed = combined(reading, stated, ["a", "b", "c"])
    assert (list(found), computed.value) == (names, value)


def test_a_reader_of_passages_has_no_fields() -> None:
    field = Predicate(field="State", comparison="is", values=("shut",))
    decided = SHUT.model_copy(update={"predicate": field})
    told = {"measure": Measure(text="span", field="Span"), "entity_field": "Bridge"}
    bare = unaided(_reading(conditions=Not(part=decided), **told))
    assert bare == _reading(conditions=Not(part=SHUT), measure=Measure(text="span"))


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
