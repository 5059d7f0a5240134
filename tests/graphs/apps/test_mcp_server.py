"""What another agent gets over MCP: answers with their proof, clarifications, errors in words."""

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult

from agent.errors import SettingsError
from graphs.apps.desk import reader_name
from graphs.apps.mcp_server import Bearer, Collections
from graphs.apps.stored_runs import STOPPED, stored_run
from graphs.apps.web import serve
from graphs.apps.web.serve import HOST
from tests.built import write
from tests.fake_provider.server import FakeProvider, served
from tests.graphs.apps.conftest import PROGRAM, Flags, Q
from tests.graphs.conftest import PETS
from tests.integration.reader import doubting
from tools.corpus.build import build
from tools.runs.reviews import Reviews
from tools.runs.store import RunStore

pytestmark = pytest.mark.slow

LEASES = "leases.corpus"
AMBIGUOUS = {"corpus": LEASES, "question": Q}
Said = dict[str, Any]


@dataclass
class Agent:
    """Another agent, by the SDK's own client, whose loop is in a thread of its own."""

    portal: BlockingPortal
    client: Client

    def call(self, tool: str, **arguments: object) -> CallToolResult:
        return self.portal.call(partial(self.client.call_tool, tool, arguments))

    def said(self, tool: str, **arguments: object) -> Said:
        """Call a tool that has to work."""
        result = self.call(tool, **arguments)
        assert not result.is_error, result.content
        assert result.structured_content is not None
        return result.structured_content

    def refused(self, tool: str, **arguments: object) -> str:
        """Call a tool that has to say what is wrong."""
        result = self.call(tool, **arguments)
        assert result.is_error
        return result.content[0].text  # type: ignore[union-attr]

    def read(self, address: str) -> str:
        """Read a resource of the leases."""
        found = self.portal.call(self.client.read_resource, f"headcount://{LEASES}/{address}")
        return found.contents[0].text  # type: ignore[union-attr]


@contextmanager
def agent_of(server: object, **options: Any) -> Iterator[Agent]:
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(server, **options)) as client,
    ):
        yield Agent(portal, client)


def agent(model: Flags = (), **options: Any) -> AbstractContextManager[Agent]:
    """Use a server of the working directory in this process."""
    flags = {"model": model[1], "base_url": model[3]} if model else {}
    return agent_of(Collections(Path(), flags).server(), **options)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_answer_comes_with_its_proof_while_its_documents_are_those_that_were_read(
    place: Path, model: Flags, mode: str
) -> None:
    steps: list[str] = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        steps.append(message or "")

    with agent(model, mode=mode) as other:
        held = other.said("corpora")["result"]
        assert [each["name"] for each in held] == [LEASES]
        asking = partial(other.client.call_tool, progress_callback=told)
        answer = other.portal.call(asking, "ask", AMBIGUOUS | {"items": 1}).structured_content
        assert answer is not None
        assert answer["status"] == "answered"
        assert answer["bounds"][0] <= answer["value"] <= answer["bounds"][1]
        assert len(answer["entities"]) == 1 < answer["value"]
        assert any("more: ask with more" in each for each in answer["warnings"])
        named = {"run": answer["run"], "item": answer["entities"][0]["name"]}
        (whole,) = other.said("evidence", corpus=LEASES, **named)["result"]
        quote = whole["evidence"][0]
        text = other.read(f"documents/{quote['document']}")
        assert text[quote["start"] : quote["end"]] == quote["quote"]
        assert f'"value":{answer["value"]}' in other.read(f"runs/{answer['run']}")
        build([write(place.parent / "other", {"lease-00.txt": "Nothing."})], place)
        assert "indexed anew" in other.refused("evidence", corpus=LEASES, **named)
    assert any("judge" in each for each in steps)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_what_is_asked_waits_for_a_reply(
    place: Path, model: Flags, provider: FakeProvider, mode: str
) -> None:
    provider.answer = doubting
    with agent(model, mode=mode) as other:
        asked = other.said("ask", **AMBIGUOUS)
        assert asked["status"] == "needs_clarification"
        assert asked["ambiguity"]["asked"][-1]["question"] == "Which animals?"
        run = {"corpus": LEASES, "run": asked["run"]}
        assert "no option 3" in other.refused("answer_clarification", **run, reply="3")
        done = other.said("answer_clarification", **run, reply="2")
        assert done["status"] == "answered"
        again = other.refused("answer_clarification", **run, reply="2")
    assert "does not wait for a reply" in again or "asks nothing" in again


def test_a_cancelled_question_stops_after_what_is_in_flight_and_can_be_resumed(
    place: Path, model: Flags, provider: FakeProvider
) -> None:
    begun = threading.Event()

    async def told(progress: float, total: float | None, message: str | None) -> None:
        begun.set()

    with agent(model, mode="legacy") as other:
        call = partial(other.client.call_tool, progress_callback=told)
        asking = other.portal.start_task_soon(call, "ask", AMBIGUOUS)
        assert begun.wait(60)
        assert asking.cancel()
    with RunStore(place / "runs" / "runs.sqlite") as store:
        (info,) = store.runs()
    with stored_run(str(place), info.run) as stopped:
        assert stopped.info.status == "running"
        assert stopped.session.unfinished(stopped.run)


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("ask", {"corpus": "none", "question": "How many?"}, "there is no corpus 'none'"),
        ("ask", {"corpus": LEASES, "question": "Which leases annoyed?"}, "cannot place “annoyed”"),
        ("evidence", {"corpus": LEASES, "run": "none", "item": "x"}, "no run 'none'"),
        ("answer_clarification", {"corpus": LEASES, "run": "none", "reply": "1"}, "no run 'none'"),
        (
            "find",
            {"corpus": LEASES, "filter": "regex", "arguments": {"pattern": "("}},
            "the pattern '(' cannot be used",
        ),
        ("find", {"corpus": LEASES, "filter": "grep", "arguments": {}}, "no tool 'grep'"),
    ],
)
def test_what_is_wrong_is_said(
    place: Path, tool: str, arguments: dict[str, object], told: str
) -> None:
    with agent() as other:
        assert told in other.refused(tool, **arguments)
        with pytest.raises(MCPError, match="no document named 'none'"):
            other.read("documents/none")


def test_a_filter_shows_passages_and_judges_nothing(place: Path) -> None:
    with agent() as other:
        call = {"filter": "exact", "arguments": {"phrase": "dog"}}
        found = other.said("find", corpus=LEASES, **call, limit=1)
    assert 1 == len(found["passages"]) < found["kept"] < found["chunks"]
    assert "dog" in found["passages"][0]["text"]


def test_passages_are_judged_one_by_one_until_the_answer(place: Path) -> None:
    review = {"corpus": LEASES, "question": "Which leases let the tenant keep one dog?"}
    with agent() as other:
        next_ = partial(other.said, "review_next", **review)

        def judged(shown: Said, verdict: str, **more: str) -> Said:
            return next_(run=shown["run"], turn=shown["turn"], verdict=verdict, **more)

        first = next_()
        assert first == next_()
        assert first["status"] == "a person is reading"
        assert "dog" in first["shown"]["condition"]["text"]
        late = {**review, "verdict": "yes", "run": "other", "turn": first["turn"]}
        assert "no verdict was taken" in other.refused("review_next", **late)
        bad = {**late, "run": first["run"], "quote": "words of no lease"}
        assert "as they stand in it" in other.refused("review_next", **bad)
        second = judged(next_(), "no")
        assert second["shown"]["passage"] != first["shown"]["passage"]
        again = judged(second, "undo")
        assert again["shown"]["passage"] == first["shown"]["passage"]
        assert any(each.startswith("undone: no") for each in again["said"])
        stopped = judged(judged(again, "skip"), "stop")
        assert (stopped["status"], stopped["answer"]["status"]) == (STOPPED, "partial")
        shown = next_()
        while shown["shown"] is not None:
            is_one = "may keep one dog" in " ".join(shown["shown"]["passage"]["text"].split())
            quote = {"quote": "may keep one dog"} if is_one else {}
            shown = judged(shown, "yes" if is_one else "no", **quote)
        assert (shown["status"], shown["answer"]["value"]) == ("answered", len(PETS))
    with Reviews(place / "runs") as reviews:
        found = [*reviews.all()]
    assert {each.quote for each in found if each.judgement == "yes"} == {"may keep one dog"}
    assert {each.who for each in found} == {f"{reader_name()}, over MCP"}


def test_over_stdin_and_stdout_it_ends_with_its_client_though_a_review_waits(place: Path) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
    hello["clientInfo"] = {"name": "x", "version": "1"}
    review = {"corpus": LEASES, "question": "Which leases are kind to animals?"}
    called = {"name": "review_next", "arguments": review}
    with subprocess.Popen(
        [*PROGRAM, "mcp", str(place.parent)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        for each in (
            {"id": 1, "method": "initialize", "params": hello},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/call", "params": called},
        ):
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **each}) + "\n")
            server.stdin.flush()
            told = server.stdout.readline() if "id" in each else ""
        assert "a person is reading" in told
        server.stdin.close()
        assert server.wait(60) == 0


def test_over_http_only_the_holder_of_the_token_is_let_in(place: Path) -> None:
    app = Bearer(Collections(Path(), {}).server().streamable_http_app(host=HOST), "secret")
    with served(app, lifespan="on") as address:
        url, given = f"{address}/mcp", {"authorization": "Bearer secret"}
        assert httpx2.post(url, json={}).status_code == 401
        assert httpx2.post(url, json={}, headers={"authorization": "Bearer x"}).status_code == 401
        foreign = given | {"host": "evil.example"}
        assert httpx2.post(url, json={}, headers=foreign).status_code in {403, 421}

        carrier = httpx2.AsyncClient(headers=given)
        with agent_of(streamable_http_client(url, http_client=carrier)) as other:
            assert other.said("corpora")["result"][0]["name"] == LEASES
            other.portal.call(carrier.aclose)


def test_a_folder_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="is no folder"):
        Collections(tmp_path / "none", {})


@pytest.mark.parametrize("serving", [Collections, partial(serve.made_server, port=0)])
def test_a_key_that_is_missing_is_said_before_anything_is_served(
    serving: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(SettingsError, match="ANTHROPIC_API_KEY"):
        serving(tmp_path, flags={"model": "anthropic:some"})
