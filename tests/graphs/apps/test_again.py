"""`headcount ask --again`: only what is new or changed is read, and the rest is kept."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from graphs.apps.exits import Exit
from graphs.context import Context
from graphs.sessions import Session
from tests.fake_provider.replies import Reply
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import Flags, Q, judged, refused, run, told_by
from tests.graphs.conftest import NARROWED, PETS, QUOTE
from tests.integration.reader import Body, kind_of, read, said
from tests.scripted import ScriptedReasoner
from tools.corpus.build import BuildSettings, build
from tools.corpus.corpus import open_corpus

pytestmark = pytest.mark.slow

Asked = dict[str, Any]


@pytest.fixture
def docs(_leases_folder: Path, place: Path) -> Path:
    return Path(shutil.copytree(_leases_folder, place.parent / "docs"))


def indexed(docs: Path, place: Path) -> None:
    build([docs], place, settings=BuildSettings(chunk_tokens=120))


def edited(docs: Path, number: int, old: str, new: str) -> str:
    """Change a lease; return it as it was."""
    file = docs / f"lease-{number:02}.txt"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    return text


@pytest.fixture
def asked(docs: Path, place: Path, model: Flags, provider: FakeProvider) -> Asked:
    indexed(docs, place)
    told = told_by("ask", place, Q, *model)
    provider.requests.clear()
    return told


def test_only_what_is_new_or_changed_is_read(
    asked: Asked, docs: Path, place: Path, model: Flags, provider: FakeProvider
) -> None:
    told = told_by("ask", "--again", asked["run"], *model, "--audit", 0)
    assert provider.requests == []
    assert told["entities"] == asked["entities"]
    assert told["interpretation"] == asked["interpretation"]
    three = edited(docs, 3, QUOTE, "No animals.")
    edited(docs, 4, "The deposit is", "The payment is")
    (docs / "lease-30.txt").write_text(three.replace("ease 3", "ease 30"), encoding="utf-8")
    (docs / "lease-00.txt").unlink()
    indexed(docs, place)
    limit = ("--max-calls", 0)
    stopped = told_by("ask", "--again", told["run"], *model, *limit, code=Exit.BUDGET)
    new = told_by("ask", place, "--resume", stopped["run"], *model, "--audit", 0)
    assert {kind_of(each) for each in provider.requests} == {"judge"}
    assert all("ease 3" in each or each == QUOTE for each in judged(provider))  # 3 is open again
    assert new["warnings"][0] == f"since run {told['run']}: added lease-30; gone lease-00, lease-03"
    assert new["cost"]["model_calls"] == 1
    corpus = open_corpus(place)
    for each in (each for item in new["entities"] for each in item["evidence"]):
        text = corpus.document_text(corpus.document_index(each["document"]))
        assert text[each["start"] : each["end"]] == each["quote"] == QUOTE


def test_a_field_that_changed_or_went_is_not_taken_for_what_it_was(
    docs: Path, place: Path, model: Flags, provider: FakeProvider
) -> None:
    def narrowed(text: str, body: Body) -> Reply:
        return said(NARROWED) if kind_of(body) == "interpret" else read(text, body)

    provider.answer = narrowed
    indexed(docs, place)
    told = told_by("ask", place, Q, *model)
    provider.requests.clear()
    edited(docs, 3, "City: Leeds", "City: York")
    indexed(docs, place)
    again = told_by("ask", "--again", told["run"], *model)
    assert "added lease-03; gone none" in again["warnings"][0]
    for number in range(12):
        edited(docs, number, "City: ", "")
    indexed(docs, place)
    assert "interpretation of run" in refused("ask", "--again", told["run"], *model)


def test_a_run_that_cannot_be_asked_again_is_one_line(
    asked: Asked, place: Path, provider: FakeProvider
) -> None:
    assert "add --model reader" in run("ask", "--again", asked["run"]).stderr
    assert "no corpus below this folder" in run("ask", "--again", "none").stderr
    assert run("ask", place, Q, "--again", asked["run"]).exit_code == Exit.USAGE
    assert run("ask").exit_code == Exit.USAGE


def test_what_was_interrupted_goes_on(docs: Path, place: Path, scripted: ScriptedReasoner) -> None:
    indexed(docs, place)
    with Session(Context(corpus=open_corpus(place), reasoner=scripted)) as session:
        list(session.start(Q, run="a"))
    edited(docs, 4, QUOTE, "No animals.")
    indexed(docs, place)
    for stop in ("interpret", "decide", "batch", "judge", "feedback"):
        context = Context(corpus=open_corpus(place), reasoner=scripted)
        with Session(context) as session:
            events = session.again("a", run=stop)
            next(each for each in events if each.get("node") == stop)
            events.close()
        with Session(context) as session:
            list(session.resume(stop))
            assert "gone lease-04" in session.outcome(stop).warnings[0]
            assert session.outcome(stop).value == len(PETS) - 1
