"""A share, a ratio or a difference is computed from two numbers, or not answered at all."""

from pathlib import Path

import pytest

from agent.errors import QuestionError
from agent.policy import Policy
from agent.reasoners.rules import RulesReasoner
from agent.state import Question
from graphs.context import Context
from graphs.headcount import build_graph
from graphs.records.two_numbers import of_two_numbers
from tests.graphs.searching import corpus_of
from tools.corpus.corpus import Corpus


@pytest.fixture
def tickets(tmp_path: Path) -> Corpus:
    states = ("open", "closed")
    return corpus_of(
        {f"ticket-{at}": f"State: {states[at % 2]}\nMarket share: {at}%\n" for at in range(8)},
        tmp_path,
    )


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("What percentage of tickets are open?", "percentage"),
        ("What is the ratio of open to closed tickets?", "ratio"),
        ("In 2024, what fraction of the tickets was open?", "fraction"),
        ("How many more tickets are open than closed?", "more"),
        ("How many tickets are open compared to closed?", "compared to"),
        ("How many tickets are faster compared to the old kind?", ""),
        ("How many tickets have more than 5 votes?", ""),
        ("Which tickets mention a percentage of the costs?", ""),
        ("What is the share of the tickets?", ""),
        ("What is the difference between a bug and a fault?", ""),
    ],
)
def test_what_two_numbers_come_to_is_told_by_its_word(
    tickets: Corpus, question: str, word: str
) -> None:
    assert of_two_numbers(question, tickets) == word


@pytest.mark.parametrize(
    "question",
    ["How many more tickets are open than closed?", "What percentage of tickets are open?"],
)
def test_without_records_it_is_refused(tickets: Corpus, question: str) -> None:
    policy = Policy(route="text", on_ambiguity="assume")
    context = Context(corpus=tickets, reasoner=RulesReasoner(), policy=policy)
    with pytest.raises(QuestionError, match="two numbers one by one"):
        build_graph().invoke(Question(question=question), context=context)
    context.store.close()
