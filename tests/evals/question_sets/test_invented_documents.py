"""Invented collections: the same from the same seed, true to their records, well-formed."""

import json
import statistics
from pathlib import Path

import numpy as np
import pytest

from agent.records.record import Cell
from evals.question_sets.invented_documents import (
    Domain,
    InventedRecord,
    Page,
    draw_records,
    load_domain,
    write_page,
)
from evals.questions import load
from tests.evals.question_files import evaluate
from tools.records.record_values import normalise, same_cell
from tools.records.schema_file import load_schema

NAMES = ("hotels", "worldcup")
DOMAINS = [load_domain(each) for each in NAMES]


def pages(domain: Domain, count: int = 60, seed: int = 0) -> list[tuple[InventedRecord, Page]]:
    drawing, writing = np.random.default_rng(seed).spawn(2)
    records = draw_records(domain, count, drawing)
    return [(each, write_page(domain, each, writing)) for each in records]


@pytest.mark.parametrize("domain", DOMAINS, ids=NAMES)
def test_every_fact_is_stated_where_the_page_says_and_is_read_as_it_was_drawn(
    domain: Domain,
) -> None:
    for record, (text, stated) in pages(domain, 120):
        facts = {name: fact for name, fact in record.facts.items() if fact is not None}
        assert stated.facts.keys() == facts.keys()
        for name, place in stated.facts.items():
            attribute, fact = domain.record_kind.attribute(name), facts[name]
            assert attribute is not None
            if not isinstance(fact, bool):
                assert place.value in text[place.start : place.end]
            if not isinstance(fact, tuple):
                read, drawn = (
                    Cell(attribute=name, value=value)
                    for value in (normalise(place.value, attribute)[0], fact)
                )
                assert same_cell(read, drawn, attribute), (name, place)


@pytest.mark.parametrize("domain", DOMAINS, ids=NAMES)
def test_a_page_has_as_many_sentences_beside_its_facts_as_its_domain_says(domain: Domain) -> None:
    starts = tuple(each.partition("{")[0] for each in domain.distractors)
    for _, (text, _) in pages(domain, 5):
        assert sum(map(text.count, starts)) == domain.others


def test_the_same_seed_makes_the_same_and_another_makes_another() -> None:
    hotels = load_domain("hotels")
    assert pages(hotels) == pages(hotels)
    assert pages(hotels) != pages(hotels, seed=1)


def test_the_folder_is_read_by_those_who_use_it(tmp_path: Path) -> None:
    into = tmp_path / "set"
    result = evaluate("build hotels --documents 40 --questions 51 --into", into)
    assert "40 documents with 51 questions" in result.output
    assert load_schema(into / "schema.json").kinds == (load_domain("hotels").record_kind,)
    records = load(into / "questions.jsonl")
    assert len({each.question for each in records}) == 51
    assert len({each.aggregation for each in records}) == 9
    for record in records:
        assert record.gold_documents
        for each in record.gold_evidence:
            text = (into / "docs" / f"{each.document}.txt").read_text("utf-8")
            assert text[each.start : each.end] == each.text


def test_answers_follow_from_the_records_that_are_their_evidence(tmp_path: Path) -> None:
    hotels = load_domain("hotels")
    evaluate("build hotels --documents 60 --questions 90 --into", tmp_path / "set")
    records = draw_records(hotels, 60, np.random.default_rng(0).spawn(3)[0])
    facts = {each.document: each.facts for each in records}
    whole = {"avg": statistics.fmean, "sum": sum, "max": max, "min": min}
    computed = 0
    for line in (tmp_path / "set/questions.jsonl").read_text("utf-8").splitlines():
        question = json.loads(line)
        documents = question["gold_documents"]
        if question["aggregation"] == "count":
            assert question["answer_count"] == len(documents) == len(question["answer"])
        if question["aggregation"] in whole:
            measure = question["attribute"]
            values = [facts[each][measure] for each in documents]
            expected = whole[question["aggregation"]](values)  # type: ignore[operator]
            assert question["answer_value"] == pytest.approx(expected)
            assert question["aggregation"] != "sum" or hotels.attributes[measure].additive
            computed += 1
    assert computed > 20


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    result = evaluate("build hotels --into", tmp_path)
    assert result.exit_code == 1
    assert "is not empty" in result.stderr
