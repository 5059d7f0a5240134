"""Drawing up a schema and filling the tables, with a reader that follows a script."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from agent.errors import LimitReached, ProviderForbade, ProviderUnavailable, TruncatedReply
from agent.prompt_values import ExtractValues, InduceValues
from agent.reasoner import Prompt
from agent.records.record import Record
from agent.records.record_schema import Schema
from graphs.context import Context
from graphs.records.available_records import open_records
from graphs.records.filling import fill
from graphs.records.inducing import induce
from tests.graphs.hotels import (
    HOTEL,
    ROOMS,
    SCHEMA,
    build_hotels,
    cells,
    copied,
    each_by_itself,
    index,
    page,
    reader,
    schema_reply,
    shown,
)
from tests.scripted import Scripted, ScriptedReasoner
from tools.corpus.corpus import Corpus

ONE = Schema(kinds=(HOTEL.model_copy(update={"attributes": (ROOMS,)}),))


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return build_hotels(tmp_path)


def named(reasoner: ScriptedReasoner, name: str) -> list[Prompt]:
    return [prompt for prompt in reasoner.prompts if prompt.name == name]


def records(corpus: Corpus, kind: str = "hotel") -> dict[str, Record]:
    with closing(open_records(corpus)) as store:
        found = store.records(range(1, 200)).values()
        return {each.document: each for each in found if each.kind == kind}


def values(record: Record) -> dict[str, Any]:
    return {cell.attribute: cell.value for cell in record.cells}


def test_a_schema_is_proposed_from_documents_and_refined_by_questions(corpus: Corpus) -> None:
    reasoner = reader([schema_reply(ONE), schema_reply(SCHEMA), schema_reply(SCHEMA)])
    questions = tuple(f"How many rooms has inn {n}?" for n in range(12))
    drawn = induce(Context(corpus=corpus, reasoner=reasoner), questions)
    assert drawn.result == SCHEMA
    asked = (prompt.values_as(InduceValues) for prompt in named(reasoner, "induce"))
    first, second, third = asked
    assert (first.questions, first.schema) == ((), None)
    assert second.questions == questions[:10]
    assert second.schema == ONE
    assert set(third.questions) >= set(questions[10:])


def test_a_limit_ends_with_the_schema_drawn_so_far(corpus: Corpus) -> None:
    reasoner = reader([schema_reply(ONE), LimitReached("2 calls are spent")])
    drawn = induce(Context(corpus=corpus, reasoner=reasoner))
    assert drawn.stopped == "2 calls are spent"
    assert drawn.result == ONE


def test_values_are_brought_to_their_type_and_stand_where_they_are_quoted(corpus: Corpus) -> None:
    filled = fill(Context(corpus=corpus, reasoner=reader()), SCHEMA)
    assert (filled.read, filled.records, filled.left, filled.failed) == (14, 14, 0, ())
    found = records(corpus)["inn-03"]
    assert values(found) == {"rooms": 23, "city": "Bath", "opened": "1963-05-04", "price": 53.0}
    text = corpus.document_text(corpus.document_index("inn-03"))
    assert all(text[cell.start : cell.end] == cell.quote for cell in found.cells)
    assert all(cell.quote for cell in found.cells)
    assert found.by == "scripted"


def test_a_refused_value_is_asked_for_once_more(corpus: Corpus) -> None:
    def slips(prompt: Prompt) -> Scripted:
        def told(text: str) -> list[dict[str, Any]]:
            found = cells(text, {"rooms", "city"})
            if prompt.values_as(ExtractValues).refused:
                return found[:1]
            return [found[0] | {"value": "many"}, *found[1:]]

        return each_by_itself(prompt, told)

    reasoner = reader(extract=slips)
    filled = fill(Context(corpus=corpus, reasoner=reasoner), SCHEMA)
    assert filled.refused == 0
    assert values(records(corpus)["inn-03"]) == {"city": "Bath", "rooms": 23}
    corrected = [
        each for each in named(reasoner, "extract") if each.values_as(ExtractValues).refused
    ]
    assert len(corrected) == 14
    assert "'many'" in corrected[0].text


def test_what_stays_refused_is_null_with_the_reason(corpus: Corpus) -> None:
    def invents(prompt: Prompt) -> Scripted:
        told = [
            {"attribute": "rooms", "value": "many", "unit": None, "quote": "rooms"},
            {"attribute": "city", "value": "Rome", "unit": None, "quote": "stands in Rome"},
        ]
        return each_by_itself(prompt, lambda _: told)

    filled = fill(Context(corpus=corpus, reasoner=reader(extract=invents)), SCHEMA)
    assert (filled.read, filled.refused, filled.failed) == (14, 28, ())
    record = records(corpus)["inn-00"]
    assert values(record) == {"rooms": None, "city": None}
    assert "do not stand in the text" in record.cells[1].reason
    with closing(open_records(corpus)) as store:
        assert sum(each.document == "inn-00" for each in store.failures()) == 2


def test_a_document_that_cannot_be_read_is_listed_and_read_again_next_time(
    corpus: Corpus,
) -> None:
    def fails(prompt: Prompt) -> Scripted:
        return ProviderUnavailable("busy") if "inn-05" in shown([prompt]) else copied(prompt)

    filled = fill(Context(corpus=corpus, reasoner=reader(extract=fails)), SCHEMA)
    assert filled.failed == ("inn-05",)
    assert filled.read == 14
    assert "inn-05" not in records(corpus)
    again = reader()
    filled = fill(Context(corpus=corpus, reasoner=again), SCHEMA)
    assert (filled.current, filled.read, filled.failed) == (13, 1, ())
    assert shown(again.prompts) == ["inn-05"]


def test_short_documents_are_read_together_and_what_a_reply_lacks_alone(corpus: Corpus) -> None:
    def lacks(prompt: Prompt) -> Scripted:
        reply = copied(prompt)
        if "documents" not in reply:
            return ProviderForbade("moderated") if shown([prompt]) == ["inn-09"] else reply
        kept = [each for each in reply["documents"] if each["document"] not in {3, 10}]
        return {"documents": [*kept, kept[0]]}

    reasoner = reader(extract=lacks)
    filled = fill(Context(corpus=corpus, reasoner=reasoner), SCHEMA)
    assert len(reasoner.prompts) == 4
    names = list(corpus.documents)
    assert shown(reasoner.prompts) == [*names, names[0], names[2], names[9]]
    assert (filled.read, filled.records, filled.failed) == (14, 13, ("inn-09",))
    found = records(corpus)
    assert all(values(each)["rooms"] == 20 + int(name[-2:]) for name, each in found.items())


def test_only_what_changed_is_read_again(tmp_path: Path) -> None:
    corpus = build_hotels(tmp_path)
    fill(Context(corpus=corpus, reasoner=reader()), SCHEMA)
    pages = tmp_path / "pages"
    (pages / "inn-02.txt").write_text(page(2, rooms="1,200"), encoding="utf-8")
    (pages / "inn-07.txt").unlink()
    (pages / "inn-20.txt").write_text(page(20), encoding="utf-8")
    corpus = index(tmp_path)
    reasoner = reader()
    filled = fill(Context(corpus=corpus, reasoner=reasoner), SCHEMA)
    assert shown(reasoner.prompts) == ["inn-02", "inn-20"]
    assert (filled.current, filled.read, filled.forgotten) == (12, 2, 1)
    found = records(corpus)
    assert "inn-07" not in found
    assert values(found["inn-02"])["rooms"] == 1200


def test_a_cut_reply_is_asked_for_in_halves(tmp_path: Path) -> None:
    corpus = build_hotels(tmp_path, 1)
    (tmp_path / "pages" / "inn-00.txt").write_text(page(0) + "\n\n" + "Far more. " * 300)
    corpus = index(tmp_path)

    def short(prompt: Prompt) -> Scripted:
        long = len(prompt.values_as(ExtractValues).documents[0].text) > 1000
        return TruncatedReply("cut") if long else copied(prompt)

    filled = fill(Context(corpus=corpus, reasoner=reader(extract=short)), SCHEMA)
    assert filled.failed == ()
    assert values(records(corpus)["inn-00"])["rooms"] == 20


def test_of_a_long_document_the_promising_parts_are_read_and_no_others(tmp_path: Path) -> None:
    build_hotels(tmp_path, 1)
    filler = "\n\n".join(f"Paragraph {n} tells of the weather of the year. " * 8 for n in range(90))
    (tmp_path / "pages" / "inn-00.txt").write_text(f"{filler}\n\n{page(0)}\n\n{filler}")
    corpus = index(tmp_path)
    reasoner = reader(context_tokens=2600, reply_tokens=500)
    fill(Context(corpus=corpus, reasoner=reasoner), SCHEMA)
    assert values(records(corpus)["inn-00"])["opened"] == "1960-05-01"
    read = sum(len(each.values_as(ExtractValues).documents[0].text) for each in reasoner.prompts)
    assert read < 0.4 * len(corpus.document_text(0))
