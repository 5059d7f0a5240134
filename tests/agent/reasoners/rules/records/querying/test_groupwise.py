"""Groups of rows, columns with numbers in their names, and ages over one table."""

from collections.abc import Callable

import pytest

from agent.reasoners.rules.records.querying.numbers import numbered
from agent.records.query_plan import Column, Compare, Having, Query
from agent.records.record_replies import QueryReply
from agent.records.record_schema import Tables
from tools.records.plan_compiler import compile_plan

Ask = Callable[[str, Tables], QueryReply]
Told = Callable[[QueryReply], str]
Make = Callable[[str, str, str], Tables]

COLUMNS = (
    "orchard:text fruit:text keeper:text valley:text planted:date inspected:date "
    "water_levy_2022:number water_levy_2023:number"
)
ROWS = """Highfold|pear|Nora Quill|Ash|1950-01-01|2020-05-01|100|90
Redmere|plum|Nora Quill|Elm|1970-01-01|2019-05-01|110|190
Stonelea|plum|Abel Foss|Ash|1980-02-01|2021-05-01|120|130"""

NUMBERED = {
    "What is the total water levy 2022?": "sum(water_levy_2022) orchard",
    "What is the average water levy in 2023?": "avg(water_levy_2023) orchard",
    "What is the total water levy 2023 by fruit?": "sum(water_levy_2023) orchard by fruit",
    "Which orchards have a water levy 2022 above 105?":
        "list() orchard[water_levy_2022 > 105.0] show orchard",
    "Which orchards paid a lower water levy in 2023 than in 2022?":
        "list() orchard[water_levy_2023 < water_levy_2022] show orchard",
    "How many orchards have a higher water levy 2023 than water levy 2022?":
        "count() orchard[water_levy_2023 > water_levy_2022]",
}  # fmt: skip


@pytest.fixture(scope="module")
def orchards(made: Make) -> Tables:
    return made("orchard", COLUMNS, ROWS)


@pytest.mark.parametrize(("question", "plan"), NUMBERED.items(), ids=list(NUMBERED))
def test_a_number_that_ends_a_columns_name_tells_which_column(
    question: str, plan: str, orchards: Tables, ask: Ask, told: Told
) -> None:
    assert told(ask(question, orchards)) == plan


def test_a_number_that_ends_no_columns_name_is_missing(orchards: Tables, ask: Ask) -> None:
    reply = ask("What is the total water levy in 2031?", orchards)
    assert not reply.answerable
    assert "2031" in reply.missing


def test_nothing_named_leaves_nothing_to_number() -> None:
    assert numbered([], []) == []


@pytest.mark.parametrize(
    ("question", "column", "comparator", "number"),
    [
        ("Which keepers have more than one orchard?", "keeper", ">=", 2),
        ("Which fruits have more than two orchards?", "fruit", ">=", 3),
        ("Which keepers have at most two orchards?", "keeper", "<=", 2),
    ],
)
def test_a_number_of_rows_is_asked_of_each_group(
    question: str, column: str, comparator: str, number: float, orchards: Tables, ask: Ask
) -> None:
    plan = ask(question, orchards).plan
    assert isinstance(plan, Query)
    assert [each.attribute for each in plan.group_by] == [column]
    assert plan.having == (Having(operation="count", comparator=comparator, number=number),)
    assert "HAVING" in compile_plan(plan, orchards.schema).sql


def fruit(name: str) -> Compare:
    return Compare(left=Column(kind="orchard", attribute="fruit"), comparator="=", value=name)


@pytest.mark.parametrize(
    ("question", "column", "denied"),
    [
        ("How many keepers have no plum?", "keeper", ["plum"]),
        ("Which valleys do not have a plum?", "valley", ["plum"]),
        ("Which keepers have neither a plum nor a pear?", "keeper", ["plum", "pear"]),
    ],
)
def test_groups_without_a_row_are_those_that_count_none(
    question: str, column: str, denied: list[str], orchards: Tables, ask: Ask
) -> None:
    plan = ask(question, orchards).plan
    assert isinstance(plan, Query)
    assert (plan.operation, plan.where) == ("list", None)
    assert [each.attribute for each in plan.group_by] == [column]
    assert plan.having == tuple(
        Having(operation="count", comparator="=", number=0, where=fruit(each)) for each in denied
    )
    assert "HAVING" in compile_plan(plan, orchards.schema).sql


def test_the_groups_with_so_many_rows_are_counted(orchards: Tables, ask: Ask) -> None:
    plan = ask("How many keepers have more than one orchard?", orchards).plan
    assert isinstance(plan, Query)
    assert (plan.operation, len(plan.group_by), plan.having[0].number) == ("list", 1, 2)


def test_a_condition_beside_what_groups_lack_is_not_read(orchards: Tables, ask: Ask) -> None:
    assert not ask("Which keepers in Ash have no plum?", orchards).answerable


def test_rows_that_are_named_before_what_is_denied_are_meant(
    orchards: Tables, ask: Ask, told: Told
) -> None:
    told_plan = told(ask("List the different valleys of orchards that are not in Elm.", orchards))
    assert told_plan.startswith("list(valley) orchard[not valley = 'Elm']")


def test_several_dates_without_a_beginning_tell_no_age(made: Make, ask: Ask, told: Told) -> None:
    rows = "Ox|2020-05-01|1950-01-01\nYew|2019-05-01|1970-01-01"
    built = made("mill", "mill:text surveyed:date built:date", rows)
    painted = made("mill", "mill:text surveyed:date painted:date", rows)
    yearly = made("mill", "mill:text surveyed:date built:integer", "Ox|2020-05-01|1950")
    oldest = "Which mill is the oldest?"
    assert told(ask(oldest, built)) == "list(built) mill ascending 1 show mill"
    assert told(ask(oldest, yearly)) == "list(built) mill ascending 1 show mill"
    assert not ask(oldest, painted).answerable


def test_who_is_named_behind_by_is_the_doer_of_the_verb(made: Make, ask: Ask, told: Told) -> None:
    mills = made("mill", "mill:text owner:text town:text", "Ox|Nora Quill|Ash\nYew|Abel Foss|Elm")
    owned = ask("How many mills are owned by Nora Quill?", mills)
    assert told(owned) == "count() mill[owner = 'Nora Quill']"
    assert not ask("How many mills are painted by Nora Quill?", mills).answerable


def test_what_a_column_of_several_rows_denies_is_of_groups_though_it_names_the_kind(
    made: Make, ask: Ask
) -> None:
    owners = made("owner", "owner:text tool:text", "Ada|saw\nAda|axe\nBen|saw\nCleo|drill")
    plan = ask("Which owners have no saw?", owners).plan
    assert isinstance(plan, Query)
    assert (plan.where, len(plan.having)) == (None, 1)


def test_where_each_row_has_its_own_name_what_is_denied_is_of_rows(made: Make, ask: Ask) -> None:
    owners = made("owner", "owner:text tool:text", "Ada|saw\nBen|axe\nCleo|drill")
    assert ask("Which owners have no saw?", owners).answerable
