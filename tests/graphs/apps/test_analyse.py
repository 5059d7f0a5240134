"""`headcount analyse`: one question, records of its own, one answer, one exit code."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from agent.answer import Answer
from agent.errors import MalformedReply
from agent.prompt_values import ExtractValues
from agent.reasoner import Prompt
from agent.reasoners.scripted import Scripted, ScriptedReasoner
from tests.fake_provider.replies import Reply
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import Run
from tests.graphs.replies import interpreted, measured
from tests.integration.reader import Body, read, said, schema_of
from tools.corpus.build import BuildSettings, build

GROWERS = ("Ada", "Ben", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")
Q = "What is the average weight?"
SCRIPT_Q = "What did the growers of 2023 harvest in total?"
APPLES = {"is_a": "column", "kind": "harvest", "attribute": "apples"}
PLAN = {"is_a": "query", "kind": "harvest", "operation": "sum", "measure": APPLES}
KIND: dict[str, Any] = {
    "name": "harvest",
    "description": "What a grower picked in a year.",
    "grain": "document",
    "attributes": [
        {
            "name": "apples",
            "type": "integer",
            "description": "Boxes of apples.",
            "unit": None,
            "examples": [],
            "labels": [],
            "many": False,
        }
    ],
}
INTERPRETED = interpreted(
    "", restated=SCRIPT_Q, entity_type="grower", operation="sum", measure=measured("boxes")
)


WEIGHTS = range(10, 18)
WEIGHT = {"is_a": "column", "kind": "pumpkin", "attribute": "weight"}
PUMPKIN = {
    **KIND,
    "name": "pumpkin",
    "attributes": [{**KIND["attributes"][0], "name": "weight", "description": "Its weight."}],
}
WEIGHED = interpreted(
    "", restated=Q, entity_type="pumpkin", operation="avg", measure=measured("weight")
)
Flags = tuple[str, ...]


def weighing(text: str, body: Body) -> Reply:
    """Reply as a model that plans the average and copies each weight."""
    schema = schema_of(body)
    if '"restrictions"' in schema:
        return said({"why": "Every sheet states it.", "restrictions": [], "kind": PUMPKIN})
    if '"restated"' in schema:
        return said(WEIGHED)
    if '"answerable"' in schema:
        plan = {**PLAN, "kind": "pumpkin", "operation": "avg", "measure": WEIGHT}
        return said({"why": "", "answerable": True, "missing": "", "plan": plan, "sql": None})
    weight = re.findall(r"Weight: (\d+)", text)[0]
    cell = {"attribute": "weight", "value": weight, "unit": None, "quote": f"Weight: {weight}"}
    return said({"records": [{"kind": "pumpkin", "label": "", "cells": [cell]}]})


def started(printed: str) -> str:
    """Return the id of the run that an answer is of."""
    return str(json.loads(printed)["run"])


@pytest.fixture
def sheets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "sheets"
    folder.mkdir()
    for weight in WEIGHTS:
        text = f"A pumpkin of this year.\n\nWeight: {weight}\nColour: orange\n"
        (folder / f"pumpkin-{weight}.txt").write_text(text, encoding="utf-8")
    build([folder], tmp_path / "p.corpus", settings=BuildSettings())
    return tmp_path / "p.corpus"


@pytest.fixture
def harvests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Letters with a year in their front matter: two of each grower."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "letters"
    folder.mkdir()
    for number, name in enumerate(GROWERS):
        for year in (2022, 2023):
            picked = 10 * number + year - 2000
            text = f"---\nyear: {year}\n---\nDear all, {name} here. We picked {picked} boxes.\n"
            (folder / f"{name}-{year}.md").write_text(text, encoding="utf-8")
    build([folder], tmp_path / "h.corpus", settings=BuildSettings())
    return tmp_path / "h.corpus"


def picked(prompt: Prompt) -> Scripted:
    words = str(prompt.values_as(ExtractValues).text).split("We picked ")[1].split()[0]
    cell = {"attribute": "apples", "value": words, "unit": None, "quote": f"picked {words} boxes"}
    return {"records": [{"kind": "harvest", "label": "", "cells": [cell]}]}


def reader(extract: Any = picked) -> ScriptedReasoner:
    year = {"field": "year", "comparison": "is", "values": ["2023"], "of": "value"}
    query = {"why": "", "answerable": True, "missing": "", "plan": PLAN, "sql": None}
    told = {"why": "Only letters of 2023 bear on it.", "restrictions": [year], "kind": KIND}
    replies = {"analyse": told, "interpret": INTERPRETED, "query": query}
    answers: Any = {name: lambda _, reply=reply: reply for name, reply in replies.items()}
    return ScriptedReasoner({**answers, "extract": extract})


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Have commands read by a reasoner of this test."""

    def serve(reasoner: ScriptedReasoner) -> ScriptedReasoner:
        monkeypatch.setattr("agent.reasoners.select_reasoner", lambda *_, **__: reasoner)
        return reasoner

    return serve


@pytest.fixture
def model(provider: FakeProvider) -> Flags:
    provider.answer = weighing
    return ("--model", "writer", "--base-url", provider.url)


def test_an_average_is_computed_from_records_of_its_own(
    sheets: Path, run: Run, model: Flags
) -> None:
    out = run("analyse", sheets, Q, *model)
    assert out.exit_code == 0
    assert "13.5" in out.stdout
    assert "SELECT" in out.stdout
    assert "outline: 8 documents" in out.stderr
    assert "extract: 8 documents read, 8 records" in out.stderr
    assert not (sheets / "records" / "records.sqlite").exists()


def test_json_is_the_public_answer(sheets: Path, run: Run, model: Flags) -> None:
    told = json.loads(run("analyse", sheets, Q, "--json", *model).stdout)
    assert Answer.model_validate(told).value == 13.5
    assert (sheets / "runs" / f"{told['run']}.records.sqlite").exists()
    assert told["run"] in run("runs", sheets).stdout


def test_documents_are_chosen_by_their_fields(harvests: Path, run: Run, served: Any) -> None:
    reasoner = served(reader())
    out = run("analyse", harvests, SCRIPT_Q)
    assert out.exit_code == 0
    assert "outline: 8 documents with year is '2023'. Only letters of 2023 bear" in out.stderr
    assert str(sum(10 * number + 23 for number in range(8))) in out.stdout
    assert "16 chunks: 8 ruled out, 8 judged; 8 matched" in out.stdout
    read = [
        each.values_as(ExtractValues).document
        for each in reasoner.prompts
        if each.name == "extract"
    ]
    assert read
    assert all("2023" in str(each) for each in read)


def test_a_document_that_cannot_be_read_has_exit_code_5(
    harvests: Path, run: Run, served: Any
) -> None:
    def extract(prompt: Prompt) -> Scripted:
        broken = "Cid" in str(prompt.values_as(ExtractValues).document)
        return MalformedReply("no JSON") if broken else picked(prompt)

    served(reader(extract))
    out = run("analyse", harvests, SCRIPT_Q)
    assert out.exit_code == 5
    assert out.stdout.count("Cid-2023") == 1


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        pytest.param([], 2, "give a question", id="nothing asked"),
        pytest.param(["Why?", "--resume", "r1"], 2, "already has its question", id="both"),
        pytest.param(
            ["--resume", "r1", "--estimate"],
            2,
            "cannot be used with --resume",
            id="an estimate too late",
        ),
        pytest.param([" "], 1, "the question is empty", id="empty"),
        pytest.param(["--resume", "beef"], 1, "no run 'beef'", id="unknown run"),
    ],
)
def test_what_makes_no_sense_is_refused(
    words: list[str], code: int, said: str, sheets: Path, run: Run, model: Flags
) -> None:
    out = run("analyse", sheets, *words, *model)
    assert out.exit_code == code
    assert said in out.stderr


def test_a_limit_has_exit_code_4_and_the_line_to_resume_with(
    sheets: Path, run: Run, model: Flags
) -> None:
    out = run("analyse", sheets, Q, "--max-calls", "6", *model)
    assert out.exit_code == 4
    again = out.stderr.strip().splitlines()[-1]
    assert "continue, with a higher limit: headcount analyse" in again
    name = again.split("--resume ")[1].split()[0]
    resumed = run("analyse", sheets, "--resume", name, *model)
    assert resumed.exit_code == 0
    assert "13.5" in resumed.stdout


def test_a_run_is_resumed_by_its_own_command(
    sheets: Path, run: Run, model: Flags, provider: FakeProvider
) -> None:
    name = started(run("analyse", sheets, Q, "--json", *model).stdout)
    out = run("ask", sheets, "--resume", name, *model)
    assert (out.exit_code, out.stdout) == (1, "")
    assert f"resume it with `headcount analyse {sheets} --resume {name}`" in out.stderr
    assert run("analyse", sheets, "--resume", name, *model).exit_code == 0
    provider.answer = read
    name = started(run("ask", sheets, "How many allow a pet?", "--json", *model).stdout)
    out = run("analyse", sheets, "--resume", name, *model)
    assert (out.exit_code, out.stdout) == (1, "")
    assert f"resume it with `headcount ask {sheets} --resume {name}`" in out.stderr


def test_an_estimate_is_a_range_that_grows_with_the_documents(
    sheets: Path, harvests: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADCOUNT_PRICES", '{"some-model": [1.0, 2.0]}')
    flags = ("--estimate", "--json", "--model", "some-model")
    for place, documents in ((sheets, len(WEIGHTS)), (harvests, 2 * len(GROWERS))):
        told = json.loads(run("analyse", place, Q, *flags).stdout)
        (fewest, most), (least, highest) = told["calls"], told["usd"]
        assert fewest == documents + 3
        assert fewest < most
        assert 0 < least < highest
        assert told["input_tokens"][0] < told["input_tokens"][1]


def test_a_reader_that_cannot_write_has_no_estimate(sheets: Path, run: Run) -> None:
    out = run("analyse", sheets, Q, "--estimate")
    assert out.exit_code == 1
    assert "cannot write records" in out.stderr


def test_an_estimate_spends_nothing_and_leaves_no_run(sheets: Path, run: Run) -> None:
    assert run("analyse", sheets, Q, "--estimate", "--model", "some-model").exit_code == 0
    runs = sheets / "runs"
    assert not runs.exists() or not list(runs.glob("*.records.sqlite"))
    assert not (sheets / "records" / "records.sqlite").exists()
