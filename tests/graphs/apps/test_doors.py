"""The same question by every door gives the same number, bounds, items and quotes."""

import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import graphs
from agent.settings import load_settings
from graphs.apps.from_settings import open_context
from graphs.apps.mcp_server import Collections
from graphs.context import Context
from graphs.sessions import Session
from tests.dev_server import DevServer
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import Q, told_by
from tests.graphs.apps.test_chat import Talk
from tests.graphs.apps.test_mcp_server import agent_of
from tests.graphs.apps.web.test_guard import browsing
from tests.graphs.conftest import PETS
from tests.integration.reader import read

pytestmark = pytest.mark.slow
_PATIENCE = 60.0
LEASES = "leases.corpus"
Said = dict[str, Any]
Flags = dict[str, Any]
"""Settings by name: the model and the server's address, or the lexical reader."""


def by_command(question: str, flags: Flags) -> Said:
    given = [
        word for name, value in flags.items() for word in (f"--{name.replace('_', '-')}", value)
    ]
    return told_by("ask", LEASES, question, *given)


def by_chat(question: str, flags: Flags) -> Said:
    with Session(open_context(Path(LEASES), load_settings(**flags))) as session:
        talk = Talk(session)
        talk(question)
    ((_, answer),) = talk.chat.turns
    return answer.model_dump(mode="json")


def by_python(question: str, flags: Flags) -> Said:
    return graphs.ask(LEASES, question, **flags).model_dump(mode="json")


def by_the_graph(question: str, flags: Flags) -> Said:
    context = Context(corpus=graphs.open_corpus(LEASES), reasoner=flags["model"])  # type: ignore[arg-type]
    given: Any = {"question": question}
    return graphs.build_graph().invoke(given, context=context)["answer"].model_dump(mode="json")


def by_mcp(question: str, flags: Flags) -> Said:
    with agent_of(Collections(Path(), flags).server()) as agent:
        told = agent.said("ask", corpus=LEASES, question=question)
        whole: Said = json.loads(agent.read(f"runs/{told['run']}"))
    assert (told["value"], told["bounds"]) == (whole["value"], whole["bounds"])
    return whole


def by_page(question: str, flags: Flags) -> Said:
    with browsing(Path(), **flags) as page:
        form = {"question": question, "reader": flags["model"]}
        place = page.post(f"/corpora/{LEASES}/questions", data=form).headers["location"]
        until = time.monotonic() + _PATIENCE
        while not (sent := page.get(f"{place}/export/json")).is_success:
            assert time.monotonic() < until, sent.text
            time.sleep(0.1)
        answer: Said = sent.json()
    return answer


DOORS = (by_chat, by_python, by_the_graph, by_mcp, by_page)


@pytest.fixture
def folder(_built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Go to a folder with the corpus as it was built: no reply is kept in it."""

    def enter() -> None:
        into = tmp_path / str(len([*tmp_path.iterdir()]))
        shutil.copytree(_built, into / LEASES)
        monkeypatch.chdir(into)

    return enter


def told(answer: Said) -> Said:
    """Return what has to be the same by every door."""
    items = {
        each["name"]: [
            (proof["document"], proof["start"], proof["end"], proof["quote"], proof["condition"])
            for proof in each["evidence"]
        ]
        for each in answer["entities"]
    }
    same = ("question", "status", "value", "bounds", "likely", "unit", "warnings")
    return {name: answer[name] for name in same} | {"items": items}


@pytest.mark.parametrize("question", [Q, "Which leases mention York?"], ids=["read", "by code"])
def test_every_door_gives_the_same_answer(
    question: str,
    reader: FakeProvider,
    server: DevServer,
    folder: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
):
    reads, reader.answer = question == Q, read
    flags = {"model": "reader", "base_url": reader.url} if reads else {"model": "lexical"}
    monkeypatch.setenv("HEADCOUNT_BASE_URL", reader.url)  # for the graph, which has no such flag
    folder()
    by_cli = told(by_command(question, flags))
    assert by_cli["value"] == (len(PETS) if reads else 4)
    for door in DOORS:
        folder()
        assert told(door(question, flags)) == by_cli, door.__name__
    context = {"corpus": str(server.log.parent / LEASES), "reasoner": flags["model"]}
    thread = server.client.threads.create()["thread_id"]
    *_, last = server.client.runs.stream(
        thread, "headcount", input={"question": question}, context=context, stream_mode="values"
    )
    assert told(last.data["answer"]) == by_cli
