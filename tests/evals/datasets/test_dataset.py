"""Data sets: the same from the same seed, true to their records, well-formed."""

import json
import statistics
from functools import cache
from pathlib import Path

import pytest

from agent.errors import SettingsError
from evals.datasets.dataset import Dataset, Recipe, make_dataset, write_dataset
from evals.datasets.domains import domain_names
from evals.questions import load
from tools.records.record_values import same_value
from tools.records.schema_file import load_schema


@cache
def made(*domains: str, **options: object) -> Dataset:
    settings = {"documents": 40, "questions": 51, **options}
    return make_dataset(Recipe(domains=domains, **settings))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", domain_names())
def test_every_cell_is_where_it_says(name: str) -> None:
    for page in made(name).pages:
        assert page.record.cells
        for cell in page.record.cells:
            assert page.text[cell.start : cell.end] == cell.quote
            assert cell.original.casefold() in cell.quote.casefold()


@pytest.mark.parametrize("name", domain_names())
@pytest.mark.parametrize("style", ["prose", "fields", "mixed", "varied"])
def test_every_fact_is_stated_and_no_other(name: str, style: str) -> None:
    data = made(name, style=style, missing=0)
    for page in data.pages:
        stated = {cell.attribute for cell in page.record.cells}
        assert stated == {each.name for each in data.schema.kinds[0].attributes}


@pytest.mark.parametrize("name", domain_names())
@pytest.mark.parametrize("varied", [True, False])
def test_what_is_written_is_read_as_what_was_drawn(name: str, *, varied: bool) -> None:
    data = made(name, varied=varied, documents=120)
    kind = data.schema.kinds[0]
    for page in data.pages:
        for cell in page.record.cells:
            attribute = kind.attribute(cell.attribute)
            assert attribute is not None
            if attribute.type != "boolean" or cell.original in {"Yes", "yes", "No", "no"}:
                assert same_value(cell.original, cell.value, attribute), cell


def test_the_same_seed_makes_the_same_and_another_makes_another() -> None:
    assert made("hotels") == made("hotels")
    assert made("hotels").pages != made("hotels", seed=1).pages


def test_a_kind_is_the_same_alone_and_in_a_mixed_collection() -> None:
    alone, mixed = made("trials"), made("hotels", "trials")
    assert set(alone.pages) < set(mixed.pages)
    assert [each.name for each in mixed.schema.kinds] == ["hotel", "trial"]
    assert {each["entity_type"] for each in mixed.questions} == {"hotel", "trial"}


def test_forms_vary_only_where_that_is_asked_for() -> None:
    def written(*, varied: bool) -> set[str]:
        cells = [cell for page in made("hotels", varied=varied).pages for cell in page.record.cells]
        return {each.original for each in cells if each.attribute == "last_renovation_cost"}

    assert any("million" in each or "M" in each for each in written(varied=True))
    assert all(each.removesuffix(" USD").isdigit() for each in written(varied=False))


def test_forms_and_styles_change_neither_what_is_drawn_nor_what_is_asked() -> None:
    def essence(**options: object) -> tuple[object, ...]:
        data = made("hotels", **options)
        facts = [
            sorted((cell.attribute, str(cell.value)) for cell in page.record.cells)
            for page in data.pages
        ]
        return facts, [each["answer"] for each in data.questions]

    assert essence() == essence(varied=False) == essence(style="prose") == essence(others=0)


@pytest.mark.parametrize("name", domain_names())
def test_answers_follow_from_the_documents(name: str) -> None:
    data = made(name)
    cells = {
        (page.record.label, cell.attribute): cell.value
        for page in data.pages
        for cell in page.record.cells
    }
    labels = {page.record.document: page.record.label for page in data.pages}
    for question in data.questions:
        documents = question["gold_documents"]
        if question["aggregation"] in {"avg", "max"}:
            measure = question["attributes"][-1]  # type: ignore[index]
            values = [cells[labels[each], measure] for each in documents]  # type: ignore[index, union-attr]
            whole = statistics.fmean if question["aggregation"] == "avg" else max
            assert question["answer_value"] == pytest.approx(whole(values))  # type: ignore[type-var]
        if question["aggregation"] == "count":
            assert question["answer_count"] == len(documents) == len(question["answer"])  # type: ignore[arg-type]


def test_all_operations_are_asked_and_no_question_twice() -> None:
    questions = made("hotels", documents=120, questions=85).questions
    assert len({each["aggregation"] for each in questions}) == 17
    assert len({each["question"] for each in questions}) == 85


def test_shares_and_ratings_are_never_added_up() -> None:
    for question in made("hotels", questions=193).questions:
        if question["aggregation"] == "sum":
            assert question["attributes"][-1] not in {"occupancy", "guest_rating"}  # type: ignore[index]


def test_the_folder_is_read_by_those_who_use_it(tmp_path: Path) -> None:
    data = made("hotels", "trials")
    write_dataset(data, tmp_path / "set")
    assert load_schema(tmp_path / "set" / "schema.yaml") == data.schema
    records = load(tmp_path / "set" / "questions.jsonl")
    assert len(records) == len(data.questions)
    for record in records:
        for each in record.gold_evidence:
            text = (tmp_path / "set" / "docs" / f"{each.document}.txt").read_text("utf-8")
            assert text[each.start : each.end] == each.text
    recipe = json.loads((tmp_path / "set" / "recipe.json").read_text("utf-8"))
    assert recipe["domains"] == ["hotels", "trials"]


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(SettingsError, match="is not empty"):
        write_dataset(made("hotels"), tmp_path)


def test_an_unknown_domain_is_named_with_those_there_are() -> None:
    with pytest.raises(SettingsError, match="hotels, trials, worldcup"):
        made("castles")
