"""The embedded reasoner answers by the prompt's name and counts its calls."""

import pytest

from agent.cost import Budget, Cost
from agent.errors import LimitReached, MalformedReply
from agent.reasoner import Failure, Prompt, Reasoner
from agent.reasoners.rules import RulesReasoner
from agent.replies import ClassifyReply, InterpretReply
from tests.agent.reasoners.rules.papers import TICKETS


def prompt(name: str = "interpret") -> Prompt:
    values = {"question": "How many tickets are open?", "conversation": (), "corpus": TICKETS}
    return Prompt(name=name, digest="", text="", values=values)


def test_a_prompt_is_answered_by_its_name_and_counted() -> None:
    reasoner: Reasoner = RulesReasoner()
    reply = reasoner.ask(prompt(), InterpretReply)
    assert reply.conditions[0].field == "Status"
    spent = reasoner.spent()
    assert (spent.model_calls, spent.input_tokens, spent.usd) == (1, 0, None)


def test_a_prompt_without_rules_is_refused() -> None:
    with pytest.raises(MalformedReply, match="know no prompt 'sing'"):
        RulesReasoner().ask(prompt("sing"), InterpretReply)


def test_a_reply_of_another_form_is_refused() -> None:
    with pytest.raises(MalformedReply, match="not with ClassifyReply"):
        RulesReasoner().ask(prompt(), ClassifyReply)


def test_a_failure_stands_in_its_own_place() -> None:
    replies = RulesReasoner().ask_many([prompt("sing"), prompt()], InterpretReply)
    assert isinstance(replies[0], Failure)
    assert isinstance(replies[1], InterpretReply)


def test_equal_questions_get_equal_replies() -> None:
    first, second = (RulesReasoner().ask(prompt(), InterpretReply) for _ in range(2))
    assert first == second


def test_a_tool_is_chosen_only_where_the_prompt_asks_for_one() -> None:
    with pytest.raises(MalformedReply, match="choose no tool"):
        RulesReasoner().choose(prompt(), [])


def test_a_limit_of_calls_holds_for_the_rules_too() -> None:
    reasoner = RulesReasoner(Budget(calls=3, usd=0.0), Cost(model_calls=1))
    replies = reasoner.ask_many([prompt()] * 4, InterpretReply)
    assert [isinstance(reply, InterpretReply) for reply in replies] == [True, True, False, False]
    assert isinstance(replies[-1], Failure)
    assert isinstance(replies[-1].error, LimitReached)
    assert reasoner.spent().model_calls == 3
