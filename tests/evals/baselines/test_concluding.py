import pytest

from agent.cost import Cost
from agent.evidence import Evidence
from agent.reasoners.scripted import ScriptedReasoner
from evals.baselines.baseline_state import BaselineState, Item
from evals.baselines.concluding import concluded
from graphs.context import Context
from graphs.runs.run_entry import open_run
from tools.corpus.corpus import Corpus


def _state(corpus: Corpus, **fields: object) -> tuple[BaselineState, Context]:
    context = Context(corpus=corpus, reasoner=ScriptedReasoner({}))
    run = open_run("How many?", "", context)
    return BaselineState(question="How many?", run=run, **fields), context  # type: ignore[arg-type]


def _quote(corpus: Corpus, document: str, words: str) -> Evidence:
    start = corpus.document_text(corpus.document_index(document)).index(words)
    end = start + len(words)
    return Evidence(document=document, start=start, end=end, quote=words, condition="")


def test_chunks_are_matched_read_failed_or_ruled_out(bridges: Corpus) -> None:
    quote = _quote(bridges, "report-1", "rust on the girders")
    first = bridges.chunks_at(1, quote.start, quote.end)
    item = Item(name="Report 1", documents=("report-1",), evidence=(quote,))
    shown = frozenset({*first, 40})
    state, context = _state(bridges, items=(item,), shown=shown, failed=frozenset({50, 51}))
    with context.store:
        coverage = concluded(state, context).coverage
    assert (coverage.judged, coverage.matched) == (len(shown), len(first))
    assert (coverage.failed, coverage.pruned) == (2, len(bridges) - len(shown) - 2)


def test_a_quote_in_a_chunk_that_was_not_shown_matches_nothing(bridges: Corpus) -> None:
    item = Item(name="x", evidence=(_quote(bridges, "report-1", "rust on the girders"),))
    state, context = _state(bridges, items=(item,), shown=frozenset({40}))
    with context.store:
        assert concluded(state, context).coverage.matched == 0


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
    state, context = _state(bridges, items=(Item(name=name),))
    with context.store:
        (entity,) = concluded(state, context).entities
    assert entity.documents == documents


@pytest.mark.parametrize(("value", "told"), [(None, None), (3.0, 3), (2.5, 2.5)])
def test_a_whole_number_is_whole(value: float | None, told: float | None, bridges: Corpus) -> None:
    state, context = _state(bridges, value=value, cost=Cost(model_calls=2))
    with context.store:
        answer = concluded(state, context)
    assert repr(answer.value) == repr(told)
    assert answer.cost.model_calls == 2
