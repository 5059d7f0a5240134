"""compare records: how readings and answers are scored, and a whole run."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import prompts
from agent.answer import Answer, Completeness
from agent.coverage import Coverage
from agent.evidence import Entity
from agent.reasoners.rules import RulesReasoner
from agent.records.record import Cell, Record
from agent.records.record_replies import ExtractReply
from agent.records.record_schema import Attribute, CellValue, Kind, Schema
from evals.cli import app
from evals.compare.records_cases import Bench, lacking
from evals.compare.records_reader import DrawnReader
from evals.compare.records_run import compared
from evals.compare.records_scores import Reading, count_error, is_right, reading
from evals.compare.records_settings import Setting
from evals.datasets.dataset import Recipe
from evals.datasets.domain import domain_names
from evals.questions import Record as Question

KIND = Kind(
    name="inn",
    attributes=(
        Attribute(name="name", type="text"),
        Attribute(name="beds", type="integer"),
        Attribute(name="price", type="number"),
        Attribute(name="extras", type="text", many=True),
    ),
)
GOLD = Schema(kinds=(KIND,))


def record(document: str, kind: str = "inn", **values: CellValue | list[CellValue]) -> Record:
    cells = [
        Cell(attribute=name, value=each, original=str(each), quote=str(each), start=0, end=1)
        for name, value in values.items()
        for each in (value if isinstance(value, list) else [value])
    ]
    return Record(kind=kind, document=document, cells=tuple(cells))


DRAWN = [record("a", name="Ann", beds=3, price=9.5, extras=["pool", "sauna"]),
         record("b", name="Bob", beds=4, price=7.0)]  # fmt: skip


def test_what_is_read_as_it_was_drawn_is_all_right() -> None:
    assert reading(DRAWN, DRAWN, GOLD) == Reading(covered=4, attributes=4, right=8, read=8, drawn=8)


def test_wrong_and_missing_values_are_told_apart() -> None:
    read = [record("a", name="Ann", beds=5, extras=["sauna", "bar"]), record("b", beds=None)]
    found = reading(DRAWN, read, GOLD)
    assert (found.right, found.read, found.drawn) == (2, 4, 8)
    assert found.precision == 0.5
    assert found.recall == 0.25
    assert found.covered == 2


def test_columns_of_another_schema_stand_for_the_attributes_they_are_like() -> None:
    read = [
        record("a", "house", title="Ann", rooms=3, cost=9.5, other=3),
        record("b", "house", title="Bob", rooms=4, cost=1.0, other=9),
    ]
    found = reading(DRAWN, read, GOLD)
    assert (found.right, found.read) == (5, 6)


def answer(value: object = None, names: tuple[str, ...] = ()) -> Answer:
    return Answer(
        question="?",
        status="answered",
        value=value,  # type: ignore[arg-type]
        entities=tuple(Entity(name=name) for name in names),
        completeness=Completeness(method=""),
        coverage=Coverage(chunks=0, pruned=0, judged=0, matched=0, unparsable=0, failed=0),
        run="r",
    )


@pytest.mark.parametrize(
    ("asked", "groups", "given", "right"),
    [
        ({"aggregation": "count", "answer_count": 3}, None, answer(3), True),
        ({"aggregation": "count", "answer_count": 3}, None, answer(4), False),
        ({"aggregation": "avg", "answer_value": 3.33333}, None, answer(10 / 3), True),
        ({"aggregation": "avg", "answer_value": 3.33333}, None, answer({"x": 1}), False),
        ({"aggregation": "list", "answer": ["The Inn", "B"]}, None, answer(2, ("b", "the inn")),
         True),
        ({"aggregation": "list", "answer": ["The Inn"]}, None, answer(2, ("B", "The Inn")), False),
        ({"aggregation": "argmax", "answer": ["B"]}, None, answer(9.5, ("B",)), True),
        ({"aggregation": "most common", "answer": ["Lyon"]}, None, answer({"Lyon": 3}), True),
        ({"aggregation": "group count"}, {"Lyon": 3, "Graz": 1}, answer({"graz": 1, "lyon": 3}),
         True),
        ({"aggregation": "group count"}, {"Lyon": 3, "Graz": 1}, answer({"lyon": 3}), False),
        ({"aggregation": "count", "answer_count": 0}, None, None, False),
    ],
)  # fmt: skip
def test_an_answer_is_right_when_it_is_all_that_was_asked_for(
    asked: dict[str, object], groups: dict[str, float] | None, given: Answer | None, *, right: bool
) -> None:
    question = Question.model_validate({"id": "q", "question": "?", **asked})
    assert is_right(question, groups, given) is right


def test_the_error_of_a_count_is_that_of_the_papers() -> None:
    question = Question(id="q", question="?", aggregation="count", answer_count=4)
    assert count_error(question, answer(5)) == 0.25
    assert count_error(question, None) == 1.0
    assert count_error(Question(id="q", question="?", aggregation="avg"), answer(5)) is None


def test_the_drawn_reader_copies_what_stands_in_the_part_and_in_the_schema() -> None:
    text = "Ann has 3 beds. It has a pool."
    cells = (
        Cell(attribute="beds", value=3, original="3", quote="Ann has 3 beds", start=0, end=14),
        Cell(attribute="pool", value=True, original="has a pool", quote="has a pool", start=19),
        Cell(attribute="price", value=9.5, original="$9.50", quote="$9.50", start=90, end=95),
    )
    drawn = {"a": Record(kind="inn", document="a", label="Ann", cells=cells)}
    kind = KIND.model_copy(
        update={"attributes": (*KIND.attributes, Attribute(name="pool", type="boolean"))}
    )
    prompt = prompts.extract(kinds=[kind], document="a", text=text, fields={}, whole=False)
    reply = DrawnReader(RulesReasoner(), drawn).ask(prompt, ExtractReply)
    assert [(each.attribute, each.value) for each in reply.records[0].cells] == [
        ("beds", "3"), ("pool", "yes"),
    ]  # fmt: skip


def test_a_lacking_schema_keeps_the_name() -> None:
    kinds = lacking(GOLD).kinds
    assert [each.name for each in kinds[0].attributes] == ["name", "beds", "price"]


def test_compare_records_tells_what_is_lost_where(tmp_path: Path) -> None:
    result_file = tmp_path / "out.json"
    asked = ["compare", "records", "--section", "schema", "--domain", "hotels", "--documents", "12",
             "--questions", "5", "--hints", "2", "--json", str(result_file)]  # fmt: skip
    result = CliRunner().invoke(app, asked)
    assert result.exit_code == 0, result.output
    told = json.loads(result_file.read_text("utf-8"))["settings"]
    assert [(each["schema"], each["reader"], each["planner"]) for each in told] == [
        ("gold", "drawn", "drawn"), ("gold", "rules", "drawn"), ("gold", "drawn", "rules"),
        ("gold", "rules", "rules"), ("induced", "rules", "rules"),
    ]  # fmt: skip
    drawn = told[0]
    assert drawn["cell_precision"] == drawn["cell_recall"] == drawn["exact_of_answered"] == 1.0
    assert drawn["attributes_covered"] == drawn["attributes"]
    for each in told:
        assert each["exact"] <= each["answered"]
        assert all(result["answered"] or result["why"] for result in each["results"])


@pytest.mark.parametrize("name", domain_names())
def test_the_true_plans_come_to_the_true_answers(name: str, tmp_path: Path) -> None:
    """Nothing is lost but by reading and planning, where a question is taken as one at all."""
    recipe = Recipe(domains=(name,), documents=20, questions=34)
    bench = Bench(tmp_path, "rules", 0, lambda line: None)
    row = Setting(section="schema", data=name, recipe=recipe, schema="gold", reader="drawn",
                  planner="drawn")  # fmt: skip
    (found,) = compared(bench, [row], lambda line: None)
    wrong = [each for each in found.results if not each.right]
    assert [each for each in wrong if "asks for nothing that can be counted" not in each.why] == []
    assert len(wrong) <= 2


def test_an_unknown_section_is_named_with_those_there_are() -> None:
    result = CliRunner().invoke(app, ["compare", "records", "--section", "none"])
    assert result.exit_code == 1
    assert "choose among schema, hybrid" in result.stderr
