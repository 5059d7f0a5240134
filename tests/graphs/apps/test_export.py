"""A run as a file: complete, private, and data to whatever opens it."""

import csv
import io
import json
import os
import re
import zipfile
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from graphs.apps import export
from graphs.apps.export import Quoted, RunView, save_file, write
from graphs.apps.terminal import write_row
from tests.fake_provider.replies import Reply
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.answers import hostile
from tests.graphs.apps.conftest import Flags, Q, overrule, refused, run, told_by
from tests.graphs.conftest import PETS, QUOTE
from tests.graphs.replies import proof, verdicts
from tests.integration.reader import Body, doubting, kind_of, passages_in, prompt_of, read, said
from tools.corpus.build import BuildSettings, build
from tools.corpus.corpus import Corpus
from tools.runs.reviews import Reviewed

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
SHEETS = ["answer", "items", "evidence", "review", "ledger", "how it was made"]


def sheets(content: bytes) -> dict[str, list[list[str]]]:
    """Return the cells of a workbook, sheet by sheet; there are no formulas."""
    book = zipfile.ZipFile(io.BytesIO(content))
    found = {}
    for at, each in enumerate(ET.fromstring(book.read("xl/workbook.xml"))[3], start=1):
        tree = ET.fromstring(book.read(f"xl/worksheets/sheet{at}.xml"))
        assert not [*tree.iter(f"{MAIN}f"), *tree.iter(f"{MAIN}hyperlink")]
        rows = [["".join(cell.itertext()) for cell in row] for row in tree.iter(f"{MAIN}row")]
        found[each.get("name", "")] = rows
    return found


def table(file: str) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(Path(file).read_text(encoding="utf-8")))]


def test_every_form_holds_the_list_and_its_proof(
    asked: dict[str, Any], place: Path, corpus: Corpus, tmp_path: Path
) -> None:
    for form in ("csv", "xlsx", "JSON", "md"):
        done = run("export", asked["run"], f"out.{form}")
        assert done.stdout == f"written: out.{form}\n", done.stderr
        assert (tmp_path / f"out.{form}").stat().st_mode & 0o777 == 0o600
    rows = table("out.csv")
    assert len(rows) == len(PETS)
    for row in rows:
        text = corpus.document_text(corpus.document_index(row["document"]))
        assert text[int(row["start"]) : int(row["end"])] == row["quote"] == QUOTE
        assert (row["verdict"], row["reviewed_by"]) == ("certain", "")
    told = json.loads(Path("out.JSON").read_text(encoding="utf-8"))
    assert (told.pop("review"), told.pop("made")["model"]) == ([], "reader")
    assert told.pop("checked") is None
    assert told == asked
    memo = Path("out.md").read_text(encoding="utf-8")
    assert f"\n**{len(PETS)}**\n" in memo
    assert f"1. lease-00\n      - “{QUOTE}” (lease-00, characters " in memo
    book = sheets(Path("out.xlsx").read_bytes())
    assert list(book) == SHEETS
    assert len(book["ledger"]) == len(corpus) + 1
    assert {row[4] for row in book["ledger"][1:]} >= {"judged, a match", "ruled out"}
    assert ["model", "reader"] in book["how it was made"]


def test_what_people_said_and_what_is_borderline_stands_beside_it(
    place: Path, corpus: Corpus, model: Flags, provider: FakeProvider
) -> None:
    def doubtful(text: str, body: Body) -> Reply:
        if kind_of(body) != "judge":
            return read(text, body)
        shown = passages_in(prompt_of(body))
        unsure = proof(QUOTE, certainty="borderline")
        return said(verdicts({at: [unsure] * (QUOTE in shown[at]) for at in shown}))

    provider.answer = doubtful
    told = told_by("ask", place, Q, *model)
    overrule(told, place, 0, "=1")
    assert run("export", place, told["run"], "a.xlsx").exit_code == 0
    book = sheets(Path("a.xlsx").read_bytes())
    assert [row[8] for row in book["evidence"][1:3]] == ["ann: no", ""]
    assert {row[3] for row in book["items"][1:]} == {"borderline"}
    assert "'=1" in book["review"][1]
    (place.parent / "new.txt").write_text("One more lease.", encoding="utf-8")
    build([place.parent / "new.txt"], place, settings=BuildSettings(chunk_tokens=120))
    assert run("export", place, told["run"], "b.xlsx").exit_code == 0
    book = sheets(Path("b.xlsx").read_bytes())
    assert "ledger" not in book
    assert any("changed since" in cell for row in book["how it was made"] for cell in row)


def test_what_a_person_noted_stands_beside_the_quote(place: Path) -> None:
    question = "Which leases let the tenant keep one dog?"
    done = run("review", place, question, input=f"tsee [annex]\ny\ntnot these\nn\n{'y' * 99}")
    assert done.exit_code == 0, done.stderr
    for form in ("csv", "xlsx", "md"):
        assert run("export", place, f"out.{form}").exit_code == 0
    rows = table("out.csv")
    assert [each["note"] for each in rows if each["note"]] == ["see [annex]"]
    assert sheets(Path("out.xlsx").read_bytes())["evidence"][0][-1] == "note"
    memo = Path("out.md").read_text(encoding="utf-8")
    assert ")\n        Note: see \\[annex\\]\n" in memo
    assert memo.count("see ") == 1


def test_several_interpretations_are_told_apart(
    place: Path, model: Flags, provider: FakeProvider
) -> None:
    provider.answer = doubting
    run("ask", place, Q, "--on-ambiguity", "branch", *model)
    for form in ("csv", "xlsx", "md"):
        done = run("export", place, f"out.{form}")
        assert done.exit_code == 0, done.stderr
    assert {row["interpretation"] for row in table("out.csv")} == {"1", "2"}
    assert Path("out.md").read_text(encoding="utf-8").count("## Items: ") == 2


def test_what_cannot_be_exported_is_one_line(
    place: Path, model: Flags, provider: FakeProvider
) -> None:
    assert "has no finished runs yet" in refused("export", place, "a.csv")
    provider.answer = doubting
    asks = told_by("ask", place, Q, "--on-ambiguity", "ask", *model, code=3)
    assert "has no finished runs yet" in refused("export", place, "a.csv")
    assert "waits for a reply" in refused("export", place, asks["run"], "a.csv")
    run("ask", place, "How many documents mention a dog?")
    run("ask", place, Q, "--on-ambiguity", "ask", *model)
    assert ".csv, .xlsx, .json, .md, .html, not '.pdf'" in refused("export", place, "a.pdf")
    assert run("export", place, "a.csv").exit_code == 0
    before = Path("a.csv").read_bytes()
    assert "exists already" in refused("export", place, "a.csv")
    assert run("export", place, "a.csv", "--force").exit_code == 0
    assert Path("a.csv").read_bytes() == before
    assert "there is no folder 'no'" in refused("export", place, "no/a.csv")
    assert run("export", place).exit_code == 2


HOSTILE = (
    '=HYPERLINK("http://x")',
    "\t@SUM(1)",
    "\x1b[31m\u202e",
    "<r></r></is></c><c><f>1+1</f></c><c><is><r></r>",
    "![x](http://x/p.png) <img src=x>\n# head",
    "_x0041_\ufffe\x00",
)


def viewed(bad: str, corpus: Corpus) -> RunView:
    told = Reviewed(
        document=bad, start=0, condition=bad, judgement="no", who=bad, made=bad, question=bad
    )
    return RunView(
        answer=hostile(bad, bad),
        corpus=corpus,
        made=dict.fromkeys(("run", "created", "model", "corpus"), bad),
        quotes=[Quoted(bad, bad, None, bad, "certain", bad, 0, len(bad), bad, 1)],
        reviews=[told],
        accounts=(),
    )


@pytest.mark.parametrize("bad", HOSTILE)
def test_texts_are_data_in_every_form(bad: str, corpus: Corpus) -> None:
    view = viewed(bad, corpus)
    told = write(view, ".csv").decode()
    cells = next(csv.DictReader(io.StringIO(told, newline="")))
    for cell in [*cells.values(), *chain(*chain(*sheets(write(view, ".xlsx")).values()))]:
        assert not cell.lstrip().startswith(("=", "@"))
        assert not {"\x1b", "\u202e", "\x00"}.intersection(cell)
    assert json.loads(write(view, ".json"))["entities"][0]["evidence"][0]["quote"] == bad
    memo = write(view, ".md").decode()
    assert not re.search(r"(?<!\\)[<\[]", memo)
    assert memo.count("\n# ") == 0
    assert not {"\x1b", "\u202e", "\x00"}.intersection(memo)


@pytest.mark.parametrize("before", [";", "\t", '; "', "\n", "a\r\n"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_no_cell_is_a_formula_wherever_a_spreadsheet_parts_a_line(
    before: str, mark: str, corpus: Corpus
) -> None:
    told = write(viewed(f"x{before}=cmd|' C'!A0; y\n- z", corpus), ".csv").decode()
    assert told.count("y\n'- z") == 5
    for row in csv.reader(io.StringIO(told, newline=""), delimiter=mark):
        assert not [cell for cell in row if cell.lstrip().startswith(("=", "- "))]
    piped = io.StringIO()
    write_row(["a; =1+1", "+1+cmd"], piped)
    assert piped.getvalue() == "a; '=1+1\t'+1+cmd\n"


def test_long_cells_are_cut_with_a_note_and_long_tables_go_on(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "_ROWS", 3)
    view = viewed("a", corpus)
    quotes = [view.quotes[0]._replace(quote="😀" * 20_000, start=at) for at in range(5)]
    book = sheets(write(replace(view, quotes=quotes[:1]), ".xlsx"))
    (quote,) = (row[5] for row in book["evidence"][1:])
    assert quote.endswith("😀 … [cut: 20000 characters in all]")
    assert len(quote.encode("utf-16-le")) <= 2 * 32_767
    item = view.answer.entities[0]
    many = [item.model_copy(update={"name": str(at)}) for at in range(5)]
    quotes = [each._replace(item=str(at)) for at, each in enumerate(quotes)]
    told = view.answer.model_copy(update={"entities": tuple(many)})
    book = sheets(write(replace(view, answer=told, quotes=quotes), ".xlsx"))
    assert [len(book[f"items{part}"]) for part in ("", " 2", " 3")] == [3, 3, 2]


def test_a_file_is_written_whole_or_not_at_all(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: 1 / 0)
    file = tmp_path / "a.csv"
    with pytest.raises(ZeroDivisionError):
        save_file(file, lambda: write(viewed("a", corpus), ".csv"), force=False)
    assert not [each for each in tmp_path.iterdir() if "a.csv" in each.name]
