"""What asks nothing is an error; short phrases that name something are questions."""

import pytest

from agent.ambiguity import Turn
from agent.errors import QuestionError
from agent.reasoners.rules.reading.interpret import interpret
from tests.agent.reasoners.rules.papers import TICKETS, Papers
from tests.agent.reasoners.rules.small_corpus import SmallCorpus

LEASES = SmallCorpus(["The tenant may keep pets.", "Renewal fees and payments are due each year."])


@pytest.mark.parametrize(
    "words",
    ["hello", "Thanks!", "ok thanks", "asdf", "exit", "quit", "help", "good morning", "?", "123",
     "what can you do?", "how are you?", "tell me a joke", "show me", "lorem ipsum", "yes"],
)  # fmt: skip
def test_small_talk_asks_nothing(words: str) -> None:
    with pytest.raises(QuestionError, match="ask a question such as"):
        interpret({"question": words, "corpus": LEASES})


@pytest.mark.parametrize(
    ("words", "conditions"),
    [
        ("tickets", []),
        ("open tickets", ["Status"]),
        ("tickets with pets", [None]),
        ("mentions of Kotlin", [None]),
        ("Hello, how many tickets are open?", ["Status"]),
        ("all votes", []),
    ],
)
def test_short_phrases_are_questions(words: str, conditions: list[str | None]) -> None:
    read = interpret({"question": words, "corpus": TICKETS})
    assert [each.field for each in read.conditions] == conditions


def test_a_bare_phrase_is_what_documents_have() -> None:
    read = interpret({"question": "renewal payments", "corpus": LEASES})
    assert [each.text for each in read.conditions] == ["has renewal payments"]
    assert read.grain == "document"


def test_thanks_in_a_conversation_are_no_question() -> None:
    turn = Turn(question="How many tickets are open?")
    with pytest.raises(QuestionError):
        interpret({"question": "thanks", "conversation": (turn,), "corpus": TICKETS})


def test_a_corpus_without_words_still_lists_what_its_names_say() -> None:
    bare = Papers({f"memo-{number}": {} for number in range(4)})
    assert interpret({"question": "memos", "corpus": bare}).entity_type == "memo"


@pytest.mark.parametrize(
    "words",
    ["Why are tickets open?", "How do tickets get closed?", "When was the first ticket filed?",
     "Where are the tickets?", "Is the sky blue?", "Should I close tickets?",
     "Explain the open tickets", "Write a poem about tickets",
     "What is the zymurgy of open tickets?"],
)  # fmt: skip
def test_what_is_neither_counted_nor_listed_is_an_error(words: str) -> None:
    with pytest.raises(QuestionError, match="counted or listed"):
        interpret({"question": words, "corpus": TICKETS})


@pytest.mark.parametrize(
    "words",
    ["Could you please tell me how many tickets are open?", "I want to know which tickets are open",
     "Are there any open tickets?", "Is any ticket open?", "Tell me how many tickets are open"],
)  # fmt: skip
def test_a_polite_question_is_one(words: str) -> None:
    read = interpret({"question": words, "corpus": TICKETS})
    assert "Status" in {each.field for each in read.conditions}
