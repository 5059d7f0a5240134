from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent.reasoner import Prompt
from agent.reasoners.rules.reasoner import RulesReasoner
from agent.records.record_replies import QueryReply
from agent.records.record_schema import (
    Attribute,
    FoundValue,
    Kind,
    Link,
    Schema,
    TableFacts,
    Tables,
)
from tools.records.plan_compiler import compile_plan

Ask = Callable[[str, Tables], QueryReply]
Told = Callable[[QueryReply], str]


@dataclass(frozen=True)
class Bare:
    """A schema without rows."""

    schema: Schema
    facts: Sequence[TableFacts] = ()

    def find(self, text: str, limit: int = 20) -> Sequence[FoundValue]:
        return ()


def plans(file: str) -> dict[str, str]:
    """Return the questions of a file, each with the plan told in the line below it."""
    lines = (Path(__file__).parent / file).read_text(encoding="utf-8").splitlines()
    return {question: plan.strip() for question, plan in zip(lines[::2], lines[1::2], strict=True)}


HOTELS = plans("hotels.txt")
LIBRARY = plans("library.txt")


LACKING_OF_HOTELS = {
    "How many hotels lasted at least a month?": "at least",
    "How many hotels have a helipad?": "helipad",
    "How many large hotels are there?": "large",
    "What is the total revenue of hotels?": "revenue",
    "What is the ratio of rooms to price?": "ratio",
    'How many hotels are called "Ritz"?': "Ritz",
    "How many hotels in Lisbon were renovated?": "renovated",
    "What is the current rating of Casa Vento?": "current",
}
LACKING_OF_LIBRARY = {
    "How many members live in Norway?": "Norway",
    "How many books are by the youngest author?": "youngest",
    "How many publishers are there?": "publishers",
    "How many books have never been borrowed?": "borrowed",
    "How many members are older than 30?": "30",
    "How many genres are never used by any book?": "never",
}


@pytest.mark.parametrize(("question", "plan"), HOTELS.items(), ids=list(HOTELS))
def test_a_question_about_one_kind_becomes_a_plan(
    question: str, plan: str, hotels: Tables, ask: Ask, told: Told
) -> None:
    assert told(ask(question, hotels)) == plan


@pytest.mark.parametrize(("question", "plan"), LIBRARY.items(), ids=list(LIBRARY))
def test_a_question_about_linked_kinds_becomes_a_plan(
    question: str, plan: str, library: Tables, ask: Ask, told: Told
) -> None:
    assert told(ask(question, library)) == plan


@pytest.mark.parametrize("question", [*HOTELS, *LIBRARY])
def test_every_plan_compiles(question: str, hotels: Tables, library: Tables, ask: Ask) -> None:
    tables = hotels if question in HOTELS else library
    reply = ask(question, tables)
    assert reply.plan is not None
    assert compile_plan(reply.plan, tables.schema).sql.startswith("SELECT")


@pytest.mark.parametrize(("question", "word"), LACKING_OF_HOTELS.items())
def test_a_word_that_nothing_has_is_named_instead_of_left_out(
    question: str, word: str, hotels: Tables, ask: Ask
) -> None:
    reply = ask(question, hotels)
    assert not reply.answerable
    assert reply.plan is None
    assert word in reply.missing


@pytest.mark.parametrize(("question", "word"), LACKING_OF_LIBRARY.items())
def test_a_word_that_no_linked_kind_has_is_named(
    question: str, word: str, library: Tables, ask: Ask
) -> None:
    reply = ask(question, library)
    assert not reply.answerable
    assert word in reply.missing


def test_assumptions_are_told(library: Tables, ask: Ask) -> None:
    why = ask("How many books were published before 2010?", library).why
    assert "time is taken as the publication year" in why
    assert "“published” is taken as how they are linked" in why


def test_of_kinds_with_one_name_the_one_that_is_linked_is_taken(ask: Ask, told: Told) -> None:
    text = Attribute(name="town", type="text")
    key = Attribute(name="depot_id", type="integer")
    schema = Schema(
        kinds=(
            Kind(name="depot", attributes=(text,)),
            Kind(name="depot_2", attributes=(key,)),
            Kind(name="lorry", attributes=(key,)),
        ),
        links=(
            Link(kind="lorry", attribute="depot_id", to_kind="depot_2", to_attribute="depot_id"),
        ),
    )
    tables = Bare(schema)
    assert told(ask("How many depots have no lorry?", tables)) == "count() depot_2[0..0 lorry]"
    assert (
        "of 2 tables called “depots”, depot is taken"
        in ask("How many depots are there?", tables).why
    )


def test_a_plan_that_failed_is_not_repeated(library: Tables) -> None:
    prompt = Prompt(
        name="query",
        digest="",
        text="",
        values={
            "question": "How many books are there?",
            "tables": library,
            "interpretation": None,
            "tried": "SELECT 1",
            "error": "no such column",
        },
    )
    reply = RulesReasoner().ask(prompt, QueryReply)
    assert not reply.answerable
    assert reply.plan is None
