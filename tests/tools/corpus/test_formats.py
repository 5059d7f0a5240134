"""The table in docs/formats.md, over files that the programs wrote which people write with.

`readers/made/make.sh` made those in `readers/made/formats`, but for Outlook's message, which is as
[MS-OXMSG] has it; mails and archives are made here.
"""

import json
import shutil
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

from graphs.apps.cli import app
from tests.tools.corpus.readers.made_files import needs_ocr, zipped
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.readers import SUFFIXES

ROOT = Path(__file__).parents[3]
MADE = Path(__file__).parent / "readers" / "made" / "formats"
QUOTE = "The tenant pays a deposit of 1,350 pounds."
LEASE = {"Title": "Lease of the north barn", "Author": "Ann Lee"}
MAIL = {"From": "Ann Lee <ann@x.org>", "Subject": "The lease"}
KNOWN = {"mail from": "Ann Lee <ann@x.org>", "mail subject": "The lease"}
SCAN = {"ocr confidence": "9"}
FIXED = {*LEASE, *MAIL, *SCAN}
"""Fields that the format names, and not its author."""


class Case(NamedTuple):
    """A format of the table, and what is known of one document of it."""

    format: str
    document: str
    fields: Mapping[str, str]
    """Values, or what they begin with."""
    page: int | None = None


CASES = (
    Case("text", "plain", {"Landlord": "Ann Lee"}),
    Case("Markdown, reStructuredText", "barn.md", {"author": "Ann Lee"}),
    Case("Markdown, reStructuredText", "barn.rst", {}),
    Case("HTML", "barn.html", {"Author": "Ann Lee"}),
    Case("PDF", "barn.pdf", LEASE, 2),
    Case("PDF", "searchable", {"Created": "20"}, 2),
    Case("scanned PDF", "scan", SCAN, 2),
    Case("picture", "fax", SCAN, 2),
    *(Case("picture", f"photo-{each}", SCAN, 1) for each in ("png", "jpg", "webp")),
    Case("Word", "barn", LEASE),
    Case("Rich Text", "barn.rtf", LEASE),
    Case("OpenDocument text", "barn.odt", LEASE),
    Case("PowerPoint", "barn.pptx", LEASE, 4),
    Case("OpenDocument slides", "barn.odp", LEASE, 4),
    *(Case("spreadsheet", f"rooms.{each}#1", {"Room": "Hall"}) for each in ("xls", "xlsx", "ods")),
    Case("CSV, TSV", "rooms#1", {"Room": "Hall"}),
    Case("JSON, JSON lines", "rows#1", {"tenant": "Bob Moss"}),
    Case("mail", "letter", MAIL),
    Case("mail", "letter#barn", {**LEASE, **KNOWN}, 2),
    Case("Outlook", "note", MAIL),
    Case("Outlook", "note#barn", {**LEASE, **KNOWN}, 2),
    Case("mailbox", "box#1", MAIL),
    Case("mailbox", "box#1#barn", {**LEASE, **KNOWN}, 2),
    Case("archive", "packed#deep/barn", LEASE),
    Case("archive", "packed#deep/letter#barn", {**LEASE, **KNOWN}, 2),
)


def letter() -> EmailMessage:
    made = EmailMessage()
    for name, value in MAIL.items():
        made[name] = value
    made.set_content(QUOTE)
    data = (MADE / "barn.pdf").read_bytes()
    made.add_attachment(data, maintype="application", subtype="pdf", filename="barn.pdf")
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus of all files."""
    sources = tmp_path_factory.mktemp("formats") / "files"
    shutil.copytree(MADE, sources)
    (sources / "plain.txt").write_text(
        f"Landlord: Ann Lee\nTenant: Bob Moss\n\n{QUOTE}\n", encoding="utf-8"
    )
    row = {"text": QUOTE, "tenant": "Bob Moss"}
    (sources / "rows.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (sources / "letter.eml").write_bytes(letter().as_bytes())
    border = b"From ann@x.org Thu Mar  4 10:30:00 2021\n"
    (sources / "box.mbox").write_bytes(border + letter().as_bytes())
    deep = {"barn.docx": (MADE / "barn.docx").read_bytes(), "letter.eml": letter().as_bytes()}
    packed = zipped({f"deep/{name}": content for name, content in deep.items()})
    (sources / "packed.zip").write_bytes(packed)
    into = sources.parent / "all.corpus"
    done = CliRunner().invoke(app, ["index", str(sources), "--into", str(into)])
    assert "not read" not in done.output, done.output
    return into


@pytest.fixture(scope="module")
def corpus(folder: Path) -> Corpus:
    return open_corpus(folder)


@pytest.fixture(scope="module")
def proofs(folder: Path) -> Mapping[str, list[dict[str, Any]]]:
    """What the command line quotes of each document that mentions a deposit."""
    question = "Which documents mention a deposit?"
    told = CliRunner().invoke(app, ["ask", str(folder), question, "--json"])
    answer = json.loads(told.stdout)
    return {each["documents"][0]: each["evidence"] for each in answer["entities"]}


def rows() -> dict[str, list[str]]:
    """Return the cells of the table's rows by format."""
    lines = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8").splitlines()
    table = [line.strip("|").split("|") for line in lines if line.startswith("|")]
    cells = [[cell.strip() for cell in row] for row in table]
    return {first: rest for first, *rest in cells[2:]}


def test_the_table_names_each_suffix_that_is_read() -> None:
    named = [each.strip("`") for cells in rows().values() for each in cells[0].split()]
    assert sorted({*named}) == sorted(SUFFIXES)
    assert rows().keys() == {each.format for each in CASES}


@needs_ocr
@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.document)
def test_a_question_is_answered_from_each_format(
    case: Case, corpus: Corpus, proofs: Mapping[str, list[dict[str, Any]]]
) -> None:
    _, _, metadata, place, attached = rows()[case.format]
    proof = next(each for each in proofs[case.document] if "deposit of" in each["quote"])
    assert proof.get("page") == case.page
    assert (place in {"page", "slide"}) <= (case.page is not None)
    assert (place == "row") <= ("#" in case.document)
    if "#" not in case.document:
        assert ("knows its mail" in attached) == (f"{case.document}#barn" in proofs)
    fields = corpus.document_fields(corpus.document_index(case.document))
    for key, value in case.fields.items():
        assert fields[key].raw.startswith(value)
        if "#" not in case.document and key in FIXED:
            assert key.lower() in metadata.lower()
