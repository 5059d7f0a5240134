"""`headcount records induce | show | fill`, with a model behind the fake provider."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from agent.records.record_schema import Schema
from tests.built import write
from tests.fake_provider.replies import Reply
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import Flags, make_read_only, refused, run, told_by
from tests.graphs.hotels import schema_reply
from tests.integration.reader import Body, by_document, said, schema_of
from tests.tools.records.league import table
from tools.corpus.build import BuildSettings, build
from tools.records.schema_file import load_schema
from tools.sqlite_file import close_forgotten

PAGES = 12
BOATS = 3
BOAT = re.compile(r"name is (Boat \d+), length is (\d+) and flag is (Malta)\.")
BOAT_KIND = table("boat", name="text", length="integer", flag="text")
BOATS_SCHEMA = Schema(kinds=(BOAT_KIND,))


def recording(text: str, body: Body) -> Reply:
    """Reply as a model that sees boats and copies what is stated of them."""
    if '"records"' not in schema_of(body):
        return said(schema_reply(BOATS_SCHEMA if BOAT.search(text) else Schema(kinds=())))
    return said(by_document(text, boats))


def boats(text: str) -> list[dict[str, Any]]:
    return [
        {
            "kind": "boat",
            "label": found[0],
            "cells": [
                {"attribute": each.name, "value": value, "unit": None, "quote": value}
                for each, value in zip(BOAT_KIND.attributes, found, strict=True)
            ],
        }
        for found in BOAT.findall(text)
    ]


def written(folder: Path) -> Path:
    """Write the harbours' pages into a folder of their own."""
    row = "Record {0}: name is Boat {0}{1}, length is {2} and flag is Malta.\n"
    pages = {
        f"harbour-{number:02}.txt": "".join(
            ["# Boats\n", *(row.format(n, number, n + 7) for n in range(1, BOATS + 1))]
        )
        for number in range(PAGES)
    }
    return write(folder, pages)


def with_schema(folder: Path, place: Path) -> None:
    """Index the pages, and put a schema beside them that nobody had to induce."""
    build([written(folder)], place)
    write(place / "records", {"schema.json": BOATS_SCHEMA.model_dump_json()})


@pytest.fixture(scope="module")
def _harbours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("harbours")
    build([written(folder / "pages")], folder / "h.corpus", settings=BuildSettings())
    return folder / "h.corpus"


@pytest.fixture
def harbours(_harbours: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(_harbours, tmp_path / "h.corpus")
    return tmp_path / "h.corpus"


@pytest.fixture
def model(provider: FakeProvider) -> Flags:
    provider.answer = recording
    return ("--model", "writer", "--base-url", provider.url)


@pytest.fixture
def filled(harbours: Path, model: Flags) -> Path:
    """A corpus with a schema and its records."""
    assert run("records", "induce", harbours, *model).exit_code == 0
    assert run("records", "fill", harbours, *model).exit_code == 0
    return harbours


def test_a_schema_is_induced_filled_and_shown(harbours: Path, model: Flags) -> None:
    induced = run("records", "induce", harbours, *model)
    assert induced.exit_code == 0
    assert "boat (row): name, length, flag" in induced.stdout
    assert "group 1, round 1: boat (" in induced.stderr
    done = run("records", "fill", harbours, *model)
    assert done.exit_code == 0
    assert f"{PAGES} documents read, {PAGES * BOATS} records" in done.stdout
    shown = run("records", "show", harbours)
    assert (
        f"boat (a document holds many, {PAGES * BOATS} rows from {PAGES} documents)" in shown.stdout
    )
    assert "from 8 to 10, 9 on average" in shown.stdout
    again = run("records", "fill", harbours, *model)
    assert f"0 documents read, 0 records; {PAGES} had not changed" in again.stdout
    told = told_by("records", "fill", harbours, *model)
    assert (told["read"], told["current"], told["failed"]) == (0, PAGES, [])


def test_records_of_a_read_only_corpus_are_read_from_a_copy(
    filled: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    close_forgotten()
    make_read_only(filled, tmp_path / "state", monkeypatch)
    before = {path: path.stat().st_mtime_ns for path in filled.rglob("*")}
    shown = run("records", "show", filled)
    assert f"{PAGES * BOATS} rows from {PAGES} documents" in shown.stdout
    assert {path: path.stat().st_mtime_ns for path in filled.rglob("*")} == before


def test_rows_of_no_kind_are_told_and_get_one(
    harbours: Path, model: Flags, provider: FakeProvider
) -> None:
    def told(text: str, body: Body) -> Reply:
        if '"records"' in schema_of(body):
            unfit = [{"heading": "# Boats", "rows": 2}, {"heading": "Crews", "rows": 5}]
            return said({"records": [], "unfit": unfit})
        asked = "What do the rows under 'Boats' state?" in text
        sail = BOAT_KIND.model_copy(update={"name": "sail"})
        return said(schema_reply(Schema(kinds=(sail,) if asked else ())))

    assert run("records", "induce", harbours, *model).exit_code == 0
    assert "nothing to extend by" in run("records", "induce", harbours, "--extend", *model).stderr
    provider.answer = told
    done = run("records", "fill", harbours, *model)
    assert f"{2 * PAGES} rows of no kind (Boats)" in done.stderr
    assert "2 rows under 'Boats' are of no kind" in run("records", "show", harbours).stdout
    assert run("records", "induce", harbours, "--extend", *model).exit_code == 0
    kinds = load_schema(harbours / "records" / "schema.json").kinds
    assert [each.name for each in kinds] == ["boat", "sail"]


def test_a_schema_is_never_replaced_unasked(filled: Path, model: Flags) -> None:
    place = filled / "records" / "schema.json"
    before = place.read_text(encoding="utf-8")
    assert "already" in refused("records", "induce", filled, *model)
    assert place.read_text(encoding="utf-8") == before


def test_a_limit_has_exit_code_4_and_the_next_call_continues(
    harbours: Path, model: Flags, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(harbours / "records", {"schema.json": BOATS_SCHEMA.model_dump_json()})
    monkeypatch.setenv("HEADCOUNT_REPLY_TOKENS", "500")
    stopped = run("records", "fill", harbours, "--max-calls", 1, *model)
    assert stopped.exit_code == 4
    assert "left: 10 documents" in stopped.stderr
    assert "2 documents read" in stopped.stdout
    again = run("records", "fill", harbours, *model)
    assert "10 documents read" in again.stdout, again.stderr
    assert provider.calls == PAGES // 2


def test_an_estimate_spends_and_writes_nothing(
    harbours: Path, model: Flags, provider: FakeProvider
) -> None:
    run("records", "induce", harbours, *model)
    calls = provider.calls
    done = run("records", "fill", harbours, "--estimate", *model)
    assert done.stdout.startswith("writer: ")
    estimate = told_by("records", "fill", harbours, "--estimate", *model)
    assert estimate["calls"] == [1, 2 * PAGES]
    assert provider.calls == calls


@pytest.mark.parametrize(
    ("words", "named", "told"),
    [
        (("induce",), False, "name a model with --model"),
        (("fill", "--estimate"), False, "name a model with --model"),
        (("fill",), True, "headcount records induce"),
        (("show",), False, "headcount records induce"),
        (("induce", "--questions", "asked"), True, "has no questions"),
    ],
)
def test_what_cannot_be_done_says_what_to_do(
    words: tuple[str, ...], named: bool, told: str, harbours: Path, tmp_path: Path, model: Flags
) -> None:
    (tmp_path / "asked").write_text("\n\n", encoding="utf-8")
    assert told in refused("records", words[0], harbours, *words[1:], *(model if named else ()))
