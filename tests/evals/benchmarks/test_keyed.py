import json
from urllib.request import Request, urlopen

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.reasoner import Failure, Prompt, PromptValues
from agent.reasoners import chat_reasoner
from agent.reasoners.scripted import ScriptedReasoner
from agent.replies import ClassifyReply
from evals.benchmarks.chat_server import KeyedReasoner, answer_in, serving, tokens_in, with_answer

PROMPT = Prompt(name="classify", digest="d", text="Which?", values=PromptValues())


@given(st.text(), st.dictionaries(st.text(), st.text(), min_size=1))
def test_the_answer_comes_back_as_it_went(text: str, members: dict[str, str]) -> None:
    key = with_answer(text, json.dumps(members, ensure_ascii=False))
    assert json.loads(answer_in(key + "\n\nReply with one JSON object.")) == members
    assert tokens_in([key]) == tokens_in([text])


def test_a_message_without_an_answer_has_none() -> None:
    assert answer_in("Which?") == ""


def test_tools_and_schemas_are_counted() -> None:
    assert tokens_in(["Which"], None, {"type": "object"}) == 6


def test_the_chat_model_replies_what_the_oracle_does() -> None:
    oracle = ScriptedReasoner({"classify": lambda _: {"ambiguities": []}})
    with serving() as url:
        keyed = KeyedReasoner(chat_reasoner("instant", base_url=url), oracle)
        assert keyed.ask(PROMPT, ClassifyReply) == ClassifyReply(ambiguities=[])
        (reply,) = keyed.ask_many([PROMPT], ClassifyReply)
        assert not isinstance(reply, Failure)
        spent = keyed.spent()
    assert spent.model_calls == 2
    assert (keyed.name, keyed.judged, keyed.paid) == ("instant", 0, True)
    assert keyed.aside > 0


@pytest.mark.parametrize("text", ["Which?", with_answer("Which?", '{"name": "other"}')])
def test_the_server_counts_the_prompt_without_its_answer(text: str) -> None:
    sent = {"messages": [{"role": "user", "content": text}]}
    with serving() as url:
        request = Request(f"{url}/chat/completions", data=json.dumps(sent).encode())
        with urlopen(request) as answer:
            told = json.loads(answer.read())
    assert told["usage"]["prompt_tokens"] == 2
