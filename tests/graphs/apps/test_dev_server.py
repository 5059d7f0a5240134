"""What a program gets from `langgraph dev` by LangGraph's own SDK, as chat clients use it."""

import json
from typing import Any

import pytest
from langchain_core.messages import convert_to_messages

from tests.dev_server import DevServer
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import Q
from tests.graphs.conftest import PETS, QUOTE
from tests.integration.reader import doubting, read

pytestmark = pytest.mark.slow
MODES: Any = ["values", "messages-tuple", "custom"]
Told = list[tuple[str, Any]]


class Thread:
    """A conversation with an assistant that has the corpus in its context, as a person makes one
    whose chat client asks for no more than an assistant's id."""

    def __init__(self, server: DevServer, **context: Any) -> None:
        self.client = server.client
        known = {"corpus": str(server.log.parent / "leases.corpus"), "reasoner": "reader"}
        made = self.client.assistants.create("headcount", context=known | context)
        self.assistant = made["assistant_id"]
        self.name = self.client.threads.create()["thread_id"]

    def told(self, **given: Any) -> Told:
        parts = self.client.runs.stream(self.name, self.assistant, stream_mode=MODES, **given)
        return [(each.event, each.data) for each in parts]

    def say(self, text: str) -> Told:
        """Send what Agent Chat UI sends."""
        content = [{"type": "text", "text": text}]
        return self.told(input={"messages": [{"type": "human", "content": content}]})

    @property
    def state(self) -> Any:
        return self.client.threads.get_state(self.name)

    @property
    def spoken(self) -> list[tuple[str, str]]:
        """Who said what, the first words of it."""
        told = convert_to_messages(self.state["values"]["messages"])
        return [(each.type, each.text.splitlines()[0]) for each in told]


def test_a_run_streams_and_its_thread_keeps_the_answer_but_no_quote(
    server: DevServer, reader: FakeProvider
):
    reader.answer = read
    thread = Thread(server)
    told = thread.told(input={"question": Q})
    assert not [data for event, data in told if event == "error"]
    nodes = [data["node"] for event, data in told if event == "custom" and "node" in data]
    assert (nodes[0], nodes[-1]) == ("interpret", "answer")
    (message,) = [data[0] for event, data in told if event == "messages"]  # no model's JSON
    assert message["content"].startswith(f"**{len(PETS)}**")
    whole = [data for event, data in told if event == "values"][-1]["answer"]
    assert whole["entities"][0]["evidence"][0]["quote"] == QUOTE
    state = thread.state
    kept = state["values"]["answer"]
    assert (kept["status"], kept["value"]) == ("answered", len(PETS))
    as_json = json.dumps(state["values"])
    assert QUOTE not in as_json
    assert len(as_json) < 16_000
    assert not state["next"]


def test_a_clarification_is_answered_by_the_next_message(server: DevServer, reader: FakeProvider):
    reader.answer = doubting
    thread = Thread(server, policy={"on_ambiguity": "ask"})
    thread.say(Q)
    (waiting,) = thread.state["interrupts"]
    assert waiting["value"]["kind"] == "clarification"
    assert [each["label"] for each in waiting["value"]["options"]] == [
        "dogs and cats",
        "any animal",
    ]
    assert thread.spoken[-1] == ("ai", waiting["value"]["question"])
    thread.say("1")
    answer = thread.state["values"]["answer"]
    assert answer["status"] == "answered"
    assert answer["ambiguity"]["asked"][0]["reply"]
    assert [who for who, _ in thread.spoken][-2:] == ["human", "ai"]
    reader.answer = read
    thread.say(Q)
    values = thread.state["values"]
    assert values["run"] != answer["run"]
    assert [each["question"] for each in values["conversation"]] == [Q]


def refused(server: DevServer, **context: Any) -> dict[str, str]:
    """Ask with a context that is wrong, or of a server that fails; return the error."""
    client = server.client
    thread = client.threads.create()["thread_id"]
    parts = client.runs.stream(thread, "headcount", input={"question": Q}, **context)
    (error,) = [each.data for each in parts if each.event == "error"]
    assert "\n" not in error["message"]
    return error  # type: ignore[return-value]


def test_what_is_wrong_reaches_the_client_in_its_words(server: DevServer, reader: FakeProvider):
    assert refused(server)["message"].startswith("which corpus? Give the graph context=")
    reader.answer = lambda text, body: "401"
    place = str(server.log.parent / "leases.corpus")
    told = refused(server, context={"corpus": place, "reasoner": "reader"})
    assert told["error"] == "ProviderRejected"
    assert "Incorrect API key" in told["message"]


def test_nothing_blocks_the_servers_event_loop_and_every_type_kept_is_registered(
    server: DevServer,
):
    assert Thread(server, reasoner="lexical").told(input={"question": "Which leases mention York?"})
    assert not server.faults()
