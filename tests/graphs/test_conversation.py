"""A thread as a conversation: messages are questions and replies, each question is a run."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from agent.ambiguity import Clarification
from agent.errors import QuestionError
from agent.policy import Policy
from agent.question import Interpretation
from graphs.context import Context
from graphs.conversation import speaking
from graphs.headcount import build_graph
from tools.corpus.corpus import Corpus

RECENT = "How many recent leases mention York?"
THREAD: Any = {"configurable": {"thread_id": "t"}}


class Talk:
    """A thread of a graph that asks back."""

    def __init__(self, corpus: Corpus) -> None:
        self.graph = build_graph(InMemorySaver())
        self.context = Context(corpus=corpus, policy=Policy(on_ambiguity="ask"))

    def give(self, given: Any) -> dict[str, Any]:
        return self.graph.invoke(given, THREAD, context=self.context)

    def say(self, *texts: str) -> dict[str, Any]:
        return self.give({"messages": [HumanMessage(text) for text in texts]})


@pytest.fixture
def talk(corpus: Corpus) -> Talk:
    return Talk(corpus)


def test_the_last_message_is_the_question_and_the_answer_is_a_message(talk: Talk):
    out = talk.say("Hello.", "Which leases mention York?")
    assert out["question"] == "Which leases mention York?"
    assert out["answer"].value == 4
    told = out["messages"][-1]
    assert isinstance(told, AIMessage)
    lines = told.text.split("\n\n")
    assert lines[0] == "**4**"
    first = out["answer"].entities[0]
    assert f"- {first.name} ({first.name}, {first.evidence[0].place})" in lines
    assert lines[-1] == f"run {out['run']}"
    assert first.evidence[0].quote not in told.text


def test_each_question_of_a_thread_is_a_run_of_its_own_that_knows_those_before(talk: Talk):
    first = talk.say("Which leases mention York?")
    second = talk.give({"question": "Which leases mention Hull?"})
    assert first["run"] != second["run"]
    (before,) = second["conversation"]
    assert (before.question, before.value, len(before.entities)) == (first["question"], 4, 4)
    assert second["answer"].cost.model_calls == first["answer"].cost.model_calls
    third = talk.give({"question": "Which leases mention York?", "run": "mine"})
    assert third["answer"].run == "mine"


def test_a_declined_question_is_in_the_way_of_no_other(talk: Talk):
    with pytest.raises(QuestionError, match="cannot place"):
        talk.say("Which leases allow pets?")
    assert talk.say("Which leases mention York?")["answer"].value == 4
    with pytest.raises(QuestionError, match="cannot place"):
        talk.give({"question": "Which leases allow pets?"})
    assert talk.give({"question": "Which leases mention Hull?"})["answer"].value == 4


def test_a_reply_is_a_message_of_the_thread_however_it_comes(talk: Talk):
    asked = talk.say(RECENT)["messages"][-1]
    assert asked.text.splitlines()[1].startswith("1. ")
    refused = talk.say("77")["messages"][-1]
    assert refused.text.startswith("there is no option 77")
    assert refused.text.endswith(f"\n\n{asked.text}")
    out = talk.say("1")
    assert out["answer"].status == "answered"
    assert out["answer"].ambiguity.asked[0].reply
    talk.say(RECENT)
    out = talk.give(Command(resume=1))
    assert out["answer"].status == "answered"
    assert [type(each) for each in out["messages"][-3:]] == [AIMessage, HumanMessage, AIMessage]


def test_another_question_leaves_a_clarification_open(talk: Talk):
    talk.say(RECENT)
    out = talk.give({"question": "Which leases mention York?"})
    assert out["answer"].value == 4
    assert out["clarification"] is None


def test_what_is_attached_to_a_message_is_refused(talk: Talk):
    text = {"type": "text", "text": "Which leases mention York?"}
    image = {"type": "image", "mimeType": "image/png", "data": "aaaa"}
    for attached, said in (("file", {"type": "file", "data": "aaaa"}), ("image", image)):
        with pytest.raises(QuestionError, match=rf"what is attached \({attached}\) is not read"):
            talk.give({"messages": [HumanMessage([text, said])]})
    assert talk.give({"messages": [HumanMessage([text])]})["answer"].value == 4


def test_criteria_are_of_one_question_alone(talk: Talk, corpus: Corpus):
    out = talk.say("Which leases mention York?")
    read: Interpretation = out["interpretation"]
    with pytest.raises(QuestionError, match="a thread_id of their own"):
        talk.give({"question": "Which leases mention Hull?", "criteria": read})
    other: Any = {"configurable": {"thread_id": "other"}}
    given: Any = {"question": "Which?", "criteria": read}
    assert talk.graph.invoke(given, other, context=talk.context)["answer"].value == 4


def test_no_word_of_a_document_is_a_link_in_a_message(talk: Talk):
    asked: Any = {
        "clarification": Clarification(
            code=None, span="", question="Is ![x](http://x.example) or <b> meant?", options=()
        )
    }
    step: Any = speaking(lambda state, runtime: asked)
    (told,) = step(None, None)["messages"]
    assert told.text == r"Is !\[x\](http://x.example) or \<b> meant?"
