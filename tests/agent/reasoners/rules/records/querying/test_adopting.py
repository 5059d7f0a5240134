"""A noun that names nothing stands for the documents, unless something else may be meant."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from agent.records.record_replies import QueryReply
from agent.records.record_schema import (
    Attribute,
    ColumnFacts,
    FoundValue,
    Kind,
    Schema,
    TableFacts,
    Tables,
)

Ask = Callable[[str, Tables], QueryReply]
Told = Callable[[QueryReply], str]


@dataclass(frozen=True)
class Sheets:
    """Documents of one kind, whose name says nothing of what they are about."""

    schema: Schema
    facts: tuple[TableFacts, ...]

    def find(self, text: str, limit: int = 20) -> tuple[FoundValue, ...]:
        return ()


def sheets(rows: int = 9, others: int = 2) -> Sheets:
    length = Attribute(name="length", type="number", unit="m")
    painted = Attribute(name="repainted", type="boolean")
    document = Kind(name="document", grain="document", attributes=(length, painted))
    note = Kind(name="remark", grain="row", attributes=(Attribute(name="remark", type="text"),))
    columns = (ColumnFacts(attribute="length", filled=rows, distinct=rows),)
    return Sheets(
        Schema(kinds=(document, note)),
        (
            TableFacts(kind="document", rows=rows, documents=rows, columns=columns),
            TableFacts(kind="remark", rows=others, documents=1, columns=()),
        ),
    )


@pytest.mark.parametrize(
    ("question", "plan"),
    [
        ("How many ferries are there?", "count() document"),
        ("What is the average length of ferries?", "avg(length) document"),
        ("How many of the ferries have a length above 30?", "count() document[length > 30.0]"),
    ],
)
def test_a_plain_noun_is_taken_as_what_each_document_is_about(
    question: str, plan: str, ask: Ask, told: Told
) -> None:
    reply = ask(question, sheets())
    assert told(reply) == plan
    assert "each document is taken as one “ferry”" in reply.why


@pytest.mark.parametrize(
    "question",
    [
        "How many documents mention Kotlin?",
        'How many documents mention "ferries"?',
        "How many documents mention ferries?",
        "How many Ferries are there?",
        "How many ferries have engines?",
        "How many ferries have more than 3 engines?",
        "What is the number of decks of ferries?",
    ],
)
def test_names_quotations_and_what_is_mentioned_are_not_taken(question: str, ask: Ask) -> None:
    assert not ask(question, sheets()).answerable


def test_nothing_is_taken_where_other_rows_are_more(ask: Ask) -> None:
    assert not ask("How many ferries are there?", sheets(rows=3, others=40)).answerable
