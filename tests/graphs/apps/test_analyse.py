"""`headcount analyse`: one question, records of its own, one answer, one exit code."""

import re
from pathlib import Path
from typing import Any

import pytest

from agent.answer import Answer
from agent.records.record_schema import Schema
from tests.built import write
from tests.fake_provider.replies import Reply
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import Flags, refused, run, told_by
from tests.graphs.hotels import schema_reply
from tests.graphs.replies import interpreted, measured
from tests.integration.reader import Body, by_document, prompt_of, read, said, schema_of
from tests.tools.records.league import column, query, table
from tools.corpus.build import BuildSettings, build

Q = "What is the average weight?"
WEIGHTS = range(10, 18)
PLAN = query("pumpkin", "avg", column("pumpkin", "weight")).model_dump()
PUMPKINS = Schema(kinds=(table("pumpkin", grain="document", weight="integer"),))
WEIGHED = interpreted(
    "", restated=Q, entity_type="pumpkin", operation="avg", measure=measured("weight")
)


def weighing(text: str, body: Body) -> Reply:
    """Reply as a model that plans the average and copies each weight."""
    schema = schema_of(body)
    if '"restrictions"' in schema:
        (kind,) = schema_reply(PUMPKINS)["kinds"]
        return said({"why": "Every sheet states it.", "restrictions": [], "kind": kind})
    if '"restated"' in schema:
        return said(WEIGHED)
    if '"answerable"' in schema:
        return said({"why": "", "answerable": True, "missing": "", "plan": PLAN, "sql": None})
    return said(by_document(text, weighed))


def weighed(text: str) -> list[dict[str, Any]]:
    weight = re.findall(r"Weight: (\d+)", text)[0]
    cell = {"attribute": "weight", "value": weight, "unit": None, "quote": f"Weight: {weight}"}
    return [{"kind": "pumpkin", "label": "", "cells": [cell]}]


def test_what_no_passage_can_tell_is_analysed_where_it_may_be(
    sheets: Path, model: Flags, provider: FakeProvider
) -> None:
    def needing(text: str, body: Body) -> Reply:
        if '"restated"' in schema_of(body):
            return said(WEIGHED | {"computed": "the weight of each, averaged"})
        if '"ambiguities"' in schema_of(body):
            return said({"ambiguities": []})
        return weighing(text, body)

    provider.answer = needing
    asked = refused("ask", sheets, Q, "--on-ambiguity", "ask", *model)
    assert re.search(r"the weight of each.* takes \d+ to \d+ calls.*--on-ambiguity", asked)
    assert provider.calls == 2
    short = run("ask", sheets, Q, "--on-ambiguity", "assume", "--max-calls", "2", *model)
    assert short.exit_code == 4
    assert "headcount analyse" in short.stderr
    assert told_by("ask", sheets, Q, "--on-ambiguity", "assume", *model)["value"] == 13.5
    of = [(schema_of(each), prompt_of(each)) for each in provider.requests]
    assert sum('"restated"' in schema for schema, _ in of) == 1
    (planned,) = [text for schema, text in of if '"restrictions"' in schema]
    assert "can tell it: the weight of each, averaged" in planned


def written(folder: Path) -> Path:
    """Write the pumpkins' sheets into a folder of their own."""
    text = "A pumpkin of this year.\n\nWeight: {}\nColour: orange\n"
    return write(folder, {f"pumpkin-{weight}.txt": text.format(weight) for weight in WEIGHTS})


@pytest.fixture
def sheets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    build([written(tmp_path / "sheets")], tmp_path / "p.corpus", settings=BuildSettings())
    return tmp_path / "p.corpus"


@pytest.fixture
def model(provider: FakeProvider) -> Flags:
    provider.answer = weighing
    return ("--model", "writer", "--base-url", provider.url)


def test_an_average_is_computed_from_records_of_its_own(sheets: Path, model: Flags) -> None:
    out = run("analyse", sheets, Q, *model)
    assert out.exit_code == 0
    assert "13.5" in out.stdout
    assert "SELECT" in out.stdout
    assert "outline: 8 documents" in out.stderr
    assert "extract: 8 documents read, 8 records" in out.stderr
    told = told_by("analyse", sheets, Q, *model)
    assert Answer.model_validate(told).value == 13.5
    assert (sheets / "runs" / f"{told['run']}.records.sqlite").exists()
    assert not (sheets / "records" / "records.sqlite").exists()
    assert told["run"] in run("runs", sheets).stdout


def test_a_run_is_resumed_by_its_own_command(
    sheets: Path, model: Flags, provider: FakeProvider
) -> None:
    name = told_by("analyse", sheets, Q, *model)["run"]
    told = refused("ask", sheets, "--resume", name, *model, alone=True)
    assert f"resume it with `headcount analyse {sheets} --resume {name}`" in told
    assert run("analyse", sheets, "--resume", name, *model).exit_code == 0
    provider.answer = read
    name = told_by("ask", sheets, "How many allow a pet?", *model)["run"]
    told = refused("analyse", sheets, "--resume", name, *model, alone=True)
    assert f"resume it with `headcount ask {sheets} --resume {name}`" in told


def test_an_estimate_is_a_range_spends_nothing_and_leaves_no_run(
    sheets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADCOUNT_PRICES", '{"some-model": [1.0, 2.0]}')
    told = told_by("analyse", sheets, Q, "--estimate", "--model", "some-model")
    assert told["calls"][0] == 1 + 3
    for name in ("calls", "usd", "input_tokens"):
        assert 0 < told[name][0] < told[name][1]
    assert not list(sheets.glob("runs/*.records.sqlite"))
    assert not (sheets / "records" / "records.sqlite").exists()
    assert "cannot write records" in refused("analyse", sheets, Q, "--estimate")
