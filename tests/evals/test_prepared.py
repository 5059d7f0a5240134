"""Process accuracy of what records of a small collection hold."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from agent.errors import SchemaError
from agent.reasoners.rules import RulesReasoner
from agent.records.record import Cell
from agent.records.record import Record as RowRecord
from agent.records.record_schema import Attribute, Kind, Schema
from evals.prepared import fill_records, numbers_by_document, process
from evals.questions import Record
from graphs.records.available_records import open_records
from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus

RecordOf = Callable[..., Record]


def _corpus(folder: Path, texts: dict[str, str]) -> Corpus:
    place = folder / "docs"
    place.mkdir()
    for name, text in texts.items():
        (place / f"{name}.txt").write_text(text, encoding="utf-8")
    build([place], folder / "docs.corpus")
    return open_corpus(folder / "docs.corpus")


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    names = ("ash", "birch", "cedar", "elm", "fir", "oak")
    texts = {
        name: f"Tree: {name}\nHeight: {number + 3} ft\nAge: {90 - number} years\n"
        for number, name in enumerate(names)
    }
    return _corpus(tmp_path, texts)


def test_facts_in_the_records_count_as_extracted(corpus: Corpus, record_of: RecordOf) -> None:
    asked = record_of(
        answer=["ash"],
        gold_documents=["ash", "birch"],
        intermediate_facts=["[ash] is 3 ft high", "[birch] is 4 ft high and 89 years old"],
    )
    assert process(asked, corpus) == 0.0
    fill_records(corpus, RulesReasoner())
    assert process(asked, corpus) == 1.0
    assert set(numbers_by_document(corpus, {"ash": ""})["ash"]) == {3.0, 90.0}


def test_a_year_that_is_a_date_counts_as_extracted(tmp_path: Path, record_of: RecordOf) -> None:
    corpus = _corpus(tmp_path, {"ash": "Felled in 2021.", "elm": "Felled in 2022."})
    year = Attribute(name="felled", type="date")
    with closing(open_records(corpus)) as store:
        store.write_schema(Schema(kinds=(Kind(name="tree", attributes=(year,)),)))
        cell = Cell(attribute="felled", value="2021")
        store.put("ash", "1", [RowRecord(kind="tree", document="ash", cells=(cell,))])
    fact = "[ash] was felled in 2021"
    asked = record_of(answer=["ash"], gold_documents=["ash"], intermediate_facts=[fact])
    assert process(asked, corpus) == 1.0


def test_a_question_without_facts_is_not_measured(corpus: Corpus, record_of: RecordOf) -> None:
    assert process(record_of(answer=["ash"], gold_documents=["ash"]), corpus) is None


def test_records_are_filled_by_the_schema_that_is_there(corpus: Corpus) -> None:
    fill_records(corpus, RulesReasoner())
    fill_records(corpus, RulesReasoner())
    with closing(open_records(corpus)) as store:
        assert len(store.documents()) == 6


def test_texts_without_structure_cannot_be_recorded(tmp_path: Path) -> None:
    texts = {"a": "It rained all night.", "b": "Nobody came to the meeting that we had called."}
    with pytest.raises(SchemaError, match="nothing in common"):
        fill_records(_corpus(tmp_path, texts), RulesReasoner())
