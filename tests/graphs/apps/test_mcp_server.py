"""What another agent gets over MCP: answers with their proof, clarifications, errors in words."""

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitRequestParams, ElicitResult

from agent.errors import SettingsError
from graphs.apps.desk import reader_name
from graphs.apps.mcp_server import Bearer, Collections
from graphs.apps.stored_runs import STOPPED, stored_run
from graphs.apps.web import serve
from graphs.apps.web.serve import HOST, listening_on
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import Flags, Q
from tests.graphs.conftest import PETS, awaited
from tests.integration.reader import doubting
from tools.corpus.build import build
from tools.runs.reviews import Reviews

ROOT = Path(__file__).parents[3]
MEANT = "How many leases allow a dog or a cat?"
LEASES = "leases.corpus"
AMBIGUOUS = {"corpus": LEASES, "question": Q}
Said = dict[str, Any]
Use = Callable[[Client], Awaitable[None]]


def using(use: Use, model: Flags | None = None, **options: Any) -> None:
    """Use a server of the working directory in this process, by the SDK's own client."""
    flags = {} if model is None else {"model": model[1], "base_url": model[3]}

    async def used() -> None:
        server = Collections(Path(), flags).server()
        async with Client(server, **options) as client:
            await use(client)

    awaited(used())


async def said(client: Client, tool: str, **arguments: object) -> Said:
    """Call a tool that has to work."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: object) -> str:
    """Call a tool that has to say what is wrong."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return result.content[0].text  # type: ignore[union-attr]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_answer_comes_with_its_proof(place: Path, model: Flags, mode: str) -> None:
    steps: list[str] = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        steps.append(message or "")

    async def use(client: Client) -> None:
        held = (await said(client, "corpora"))["result"]
        assert [each["name"] for each in held] == [LEASES]
        result = await client.call_tool("ask", AMBIGUOUS | {"items": 1}, progress_callback=told)
        answer = result.structured_content
        assert answer is not None, result.content
        assert answer["status"] == "answered"
        assert answer["bounds"][0] <= answer["value"] <= answer["bounds"][1]
        assert len(answer["entities"]) == 1 < answer["value"]
        assert any("more: ask with more" in each for each in answer["warnings"])
        item = answer["entities"][0]
        named = {"corpus": LEASES, "run": answer["run"], "item": item["name"]}
        (whole,) = (await said(client, "evidence", **named))["result"]
        quote = whole["evidence"][0]
        address = f"headcount://{LEASES}/documents/{quote['document']}"
        text = (await client.read_resource(address)).contents[0].text  # type: ignore[union-attr]
        assert text[quote["start"] : quote["end"]] == quote["quote"]
        run = await client.read_resource(f"headcount://{LEASES}/runs/{answer['run']}")
        assert f'"value":{answer["value"]}' in run.contents[0].text  # type: ignore[union-attr]

    using(use, model, mode=mode)
    assert any("judge" in each for each in steps)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_what_is_asked_waits_for_a_reply(
    place: Path, model: Flags, provider: FakeProvider, mode: str
) -> None:
    provider.answer = doubting

    async def use(client: Client) -> None:
        asked = await said(client, "ask", **AMBIGUOUS)
        assert asked["status"] == "needs_clarification"
        assert asked["ambiguity"]["asked"][-1]["question"] == "Which animals?"
        run = {"corpus": LEASES, "run": asked["run"]}
        assert "no option 3" in await refused(client, "answer_clarification", **run, reply="3")
        done = await said(client, "answer_clarification", **run, reply="2")
        assert done["status"] == "answered"
        again = await refused(client, "answer_clarification", **run, reply="2")
        assert "does not wait for a reply" in again or "asks nothing" in again

    using(use, model, mode=mode)


def test_a_client_that_can_asks_the_person_what_it_costs_and_what_is_meant(
    place: Path, model: Flags, provider: FakeProvider
) -> None:
    provider.answer = doubting
    put: list[str] = []

    async def person(_: Any, params: ElicitRequestParams) -> ElicitResult:
        put.append(params.message)
        spending = len(put) == 1
        return ElicitResult(
            action="accept", content={"go_ahead": True} if spending else {"reply": "1"}
        )

    async def use(client: Client) -> None:
        assert (await said(client, "ask", **AMBIGUOUS))["status"] == "answered"

    using(use, model, mode="legacy", elicitation_callback=person)
    spent, meant = put
    assert spent.startswith("This takes ")
    assert "calls" in spent
    assert meant.splitlines()[:2] == ["Which animals?", f"1. {MEANT} (about {len(PETS)})"]


def test_what_an_answer_says_of_documents_that_changed_is_not_shown_as_theirs(
    place: Path, model: Flags
) -> None:
    async def use(client: Client) -> None:
        answer = await said(client, "ask", **AMBIGUOUS)
        folder = place.parent / "other"
        folder.mkdir()
        (folder / "lease-00.txt").write_text("Nothing.")
        build([folder], place)
        item = {"corpus": LEASES, "run": answer["run"], "item": "lease-00"}
        assert "indexed anew" in await refused(client, "evidence", **item)

    using(use, model)


def test_a_damaged_corpus_hides_no_other(place: Path) -> None:
    async def use(client: Client) -> None:
        held = (await said(client, "corpora"))["result"]
        assert {each["name"]: bool(each["problem"]) for each in held} == {
            LEASES: False,
            "bad.corpus": True,
        }

    shutil.copytree(place, place.parent / "bad.corpus")
    for manifest in (place.parent / "bad.corpus").rglob("manifest.json"):
        manifest.write_text("{")
    using(use)


@pytest.mark.parametrize(
    "action", [ElicitResult(action="decline"), ElicitResult(action="accept", content={})]
)
def test_nothing_is_spent_where_the_person_does_not_agree(
    place: Path, model: Flags, provider: FakeProvider, action: ElicitResult
) -> None:
    async def person(_: Any, params: ElicitRequestParams) -> ElicitResult:
        return action

    async def use(client: Client) -> None:
        assert "the person did not agree" in await refused(client, "ask", **AMBIGUOUS)
        reply = {"corpus": LEASES, "run": "any", "reply": "1"}
        assert "did not agree" in await refused(client, "answer_clarification", **reply)

    using(use, model, mode="legacy", elicitation_callback=person)
    assert not provider.requests


def test_a_cancelled_question_stops_after_what_is_in_flight_and_can_be_resumed(
    place: Path, model: Flags, provider: FakeProvider
) -> None:
    async def use(client: Client) -> None:
        begun = asyncio.Event()

        async def told(progress: float, total: float | None, message: str | None) -> None:
            begun.set()

        call = client.call_tool("ask", AMBIGUOUS, progress_callback=told)
        asking = asyncio.create_task(call)
        await begun.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    using(use, model, mode="legacy")
    with stored_run(str(place), None) as stopped:
        assert stopped.info.status == "running"
        assert stopped.session.unfinished(stopped.run)


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("ask", {"corpus": "none", "question": "How many?"}, "there is no corpus 'none'"),
        ("ask", {"corpus": LEASES, "question": " "}, "the question is empty"),
        ("ask", {"corpus": LEASES, "question": "Which leases annoyed?"}, "cannot place “annoyed”"),
        ("evidence", {"corpus": LEASES, "run": "none", "item": "x"}, "no run 'none'"),
        ("answer_clarification", {"corpus": LEASES, "run": "none", "reply": "1"}, "no run 'none'"),
        (
            "find",
            {"corpus": LEASES, "filter": "regex", "arguments": {"pattern": "("}},
            "the pattern '(' cannot be used",
        ),
        ("find", {"corpus": LEASES, "filter": "grep", "arguments": {}}, "filter"),
    ],
)
def test_what_is_wrong_is_said(
    place: Path, tool: str, arguments: dict[str, object], told: str
) -> None:
    async def use(client: Client) -> None:
        assert told in await refused(client, tool, **arguments)
        with pytest.raises(MCPError, match="no document named 'none'"):
            await client.read_resource(f"headcount://{LEASES}/documents/none")

    using(use)


def test_a_filter_shows_passages_and_judges_nothing(place: Path) -> None:
    async def use(client: Client) -> None:
        call = {"filter": "exact", "arguments": {"phrase": "dog"}}
        found = await said(client, "find", corpus=LEASES, **call, limit=1)
        assert 1 == len(found["passages"]) < found["kept"] < found["chunks"]
        assert "dog" in found["passages"][0]["text"]

    using(use)


def test_passages_are_judged_one_by_one_until_the_answer(place: Path) -> None:
    review = {"corpus": LEASES, "question": "Which leases let the tenant keep one dog?"}

    async def use(client: Client) -> None:
        async def judged(shown: Said, verdict: str, **more: str) -> Said:
            of = {"run": shown["run"], "turn": shown["turn"]}
            return await said(client, "review_next", **review, **of, verdict=verdict, **more)

        first = await said(client, "review_next", **review)
        assert first == await said(client, "review_next", **review)
        assert first["status"] == "a person is reading"
        assert "dog" in first["shown"]["condition"]["text"]
        late = {**review, "verdict": "yes", "run": "other", "turn": first["turn"]}
        assert "no verdict was taken" in await refused(client, "review_next", **late)
        bad = {**late, "run": first["run"], "quote": "words of no lease"}
        assert "as they stand in it" in await refused(client, "review_next", **bad)
        second = await judged(await said(client, "review_next", **review), "no")
        assert second["shown"]["passage"] != first["shown"]["passage"]
        again = await judged(second, "undo")
        assert again["shown"]["passage"] == first["shown"]["passage"]
        assert any(each.startswith("undone: no") for each in again["said"])
        stopped = await judged(await judged(again, "skip"), "stop")
        assert (stopped["status"], stopped["answer"]["status"]) == (STOPPED, "partial")
        shown = await said(client, "review_next", **review)
        while shown["shown"] is not None:
            is_one = "may keep one dog" in " ".join(shown["shown"]["passage"]["text"].split())
            quote = {"quote": "may keep one dog"} if is_one else {}
            shown = await judged(shown, "yes" if is_one else "no", **quote)
        assert (shown["status"], shown["answer"]["value"]) == ("answered", len(PETS))

    using(use)
    with Reviews(place / "runs") as reviews:
        found = [*reviews.all()]
    assert {each.quote for each in found if each.judgement == "yes"} == {"may keep one dog"}
    assert {each.who for each in found} == {f"{reader_name()}, over MCP"}


def test_it_speaks_over_stdin_and_stdout_alone(place: Path) -> None:
    words = ["-c", "from graphs.apps.main import main; main()", "mcp", str(place.parent)]
    process = StdioServerParameters(
        command=sys.executable, args=words, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )

    async def used() -> None:
        async with Client(stdio_client(process)) as client:
            assert (await said(client, "corpora"))["result"][0]["name"] == LEASES

    awaited(used())


def test_it_ends_with_its_client_though_a_review_waits(place: Path) -> None:
    words = [sys.executable, "-c", "from graphs.apps.main import main; main()", "mcp"]
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
    hello["clientInfo"] = {"name": "x", "version": "1"}
    review = {"corpus": LEASES, "question": "Which leases are kind to animals?"}
    called = {"name": "review_next", "arguments": review}
    with subprocess.Popen(
        [*words, str(place.parent)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
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
    listening = listening_on(0)
    socket.create_connection(listening.getsockname()).close()
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    url = f"http://{HOST}:{listening.getsockname()[1]}/mcp"
    try:
        given = {"authorization": "Bearer secret"}
        assert httpx2.post(url, json={}).status_code == 401
        assert httpx2.post(url, json={}, headers={"authorization": "Bearer x"}).status_code == 401
        foreign = given | {"host": "evil.example"}
        assert httpx2.post(url, json={}, headers=foreign).status_code in {403, 421}

        async def used() -> None:
            async with (
                httpx2.AsyncClient(headers=given) as carrier,
                Client(streamable_http_client(url, http_client=carrier)) as client,
            ):
                assert (await said(client, "corpora"))["result"][0]["name"] == LEASES

        awaited(used())
    finally:
        server.should_exit = True
        thread.join(30)
        listening.close()
    assert not thread.is_alive()


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
