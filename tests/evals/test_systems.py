"""Which step lost a fact."""

from pathlib import Path

import pytest

from agent.evidence import Entity, Evidence
from agent.records.record import Cell, Record
from agent.records.record_schema import Attribute, Kind, Schema
from evals.ablation import Ablation, context_under
from evals.systems import fact_steps
from graphs.records.available_records import open_records
from tests.built import built
from tests.evals.question_files import answer_of, record_of
from tests.scripted import ScriptedReasoner

TEXTS = {
    "a.txt": "Sales of A.\n\n" + "It rained a lot. " * 30 + "\n\nA sold goods for 410.",
    "b.txt": "Sales of B.\n\nB sold goods for 77.",
    "c.txt": "Sales of C.\n\nC sold goods for 93.",
}
ASKED = record_of(
    gold_documents=["a", "b", "c"],
    intermediate_facts=["A sold for 410", "B sold for 77", "C sold for 93, a third of 9999"],
)


def test_passages_lose_facts_by_retrieval_and_quotes_by_extraction(tmp_path: Path) -> None:
    corpus = built(TEXTS, tmp_path, chunk_tokens=60)
    read = [chunk for chunk in range(len(corpus)) if "sold" in corpus.chunk_text(chunk)][1:]
    quote = Evidence(document="b", start=0, end=1, quote="B sold goods for 77", condition="")
    answer = answer_of(entities=(Entity(name="B", evidence=(quote,)),))
    context = context_under(Ablation(), corpus, ScriptedReasoner({}))
    left = fact_steps(ASKED, context, answer, read)
    assert left == pytest.approx({"retrieved": 2 / 3, "extracted": 1 / 3})


@pytest.mark.parametrize(("chunks", "retrieved"), [(None, 2 / 3), (1, 1 / 3)])
def test_records_lose_what_is_not_outlined_or_not_shown(
    tmp_path: Path, chunks: int | None, retrieved: float
) -> None:
    corpus = built(TEXTS, tmp_path, chunk_tokens=60)
    title = Attribute(name="title", type="text", description="Sales of whom")
    store = open_records(corpus)
    store.write_schema(Schema(kinds=(Kind(name="sale", attributes=(title,)),)))
    sold = Cell(attribute="title", value="77")
    store.put("a", "", [Record(kind="sale", document="a")])
    store.put("b", "", [Record(kind="sale", document="b", cells=(sold,))])
    store.close()
    context = context_under(Ablation(chunks=chunks), corpus, ScriptedReasoner({}))
    left = fact_steps(ASKED, context, answer_of(), ())
    assert left == pytest.approx({"outlined": 2 / 3, "retrieved": retrieved, "extracted": 1 / 3})
