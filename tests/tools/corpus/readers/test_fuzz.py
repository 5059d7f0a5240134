"""Whatever is done to a valid file, its reader reads it or says why not, and does nothing else."""

import tempfile
import traceback
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tools
from agent.errors import DocumentUnreadable
from tests.mutations import mutated_bytes
from tests.tools.corpus.readers.test_office import MADE, _repacked, _saved
from tests.tools.corpus.readers.test_pdf import pdf_of
from tests.tools.corpus.readers.test_sheets import LEASES, workbook
from tools.corpus.build_settings import BuildSettings
from tools.corpus.documents import Document, cut, read_file
from tools.corpus.processes import limited
from tools.corpus.source_files import files_below

pytestmark = [pytest.mark.slow, pytest.mark.faults]

HEADED = (
    b"---\ntitle: On Ropes\ntags: [a, b]\ndate: 2023-04-05\n---\n# Ropes\n\nRent: GBP 1,200\n\n"
)
MAIL = (
    b"From: Ann <a@b.c>\nTo: d@e.f, g@h.i\nSubject: =?utf-8?B?TGVhc2U=?=\n"
    b"Date: Mon, 6 Feb 2023 10:00:00 +0100\nMIME-Version: 1.0\n"
    b'Content-Type: multipart/alternative; boundary="b"\n\n--b\nContent-Type: text/plain; '
    b"charset=latin-1\nContent-Transfer-Encoding: quoted-printable\n\nThe caf=E9 pays.\n"
    b"--b\nContent-Type: text/html\n\n<p>The caf&eacute; pays.</p>\n--b--\n"
)
ROW = b'{"id": "x", "text": "Hello there", "tags": ["b"], "price": 3.5, "at": {"a": [1, null]}}'
SEEDS: dict[str, bytes] = {
    "a.txt": HEADED.replace(b"---\n", b"") + "Café “Zoë”. 🙂\n".encode(),
    "a.md": HEADED + b"| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n\n```\ncode\n```\n1. Clause\n",
    "toml.md": b"+++\ntitle = 'Ropes'\nn = 3\nd = 1979-05-27T07:32:00Z\n[a]\nb = [1]\n+++\nText.\n",
    "a.eml": MAIL,
    "a.jsonl": ROW + b"\n" + ROW.replace(b'"x"', b'"y"') + b"\n",
    "a.json": b'{"rows": [' + ROW + b"], " + ROW[1:],
    "a.csv": b'id,Name,Rent\n1,"Ann, Lee",900\n2,Zo\xc3\xab,"12\n3"\n',
    "a.pdf": pdf_of("First page.", "Third page."),
    "a.docx": _saved(),
    "a.msg": (MADE / "outlook" / "attached.msg").read_bytes(),
    **{
        f"a{each.suffix}": each.read_bytes()
        for each in (*MADE.glob("lease.*"), *MADE.glob("formats/barn.[hr]*"))
    },
    "a.xlsx": workbook({"Leases": LEASES, "Notes": [["Ask Ann."]]}),
}


@pytest.mark.parametrize("name", SEEDS)
@given(drawn=st.data())
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_a_mutated_file_is_read_or_refused(name: str, drawn: st.DataObject) -> None:
    if name == "a.docx" and drawn.draw(st.booleans()):
        data = _repacked(lambda xml: drawn.draw(mutated_bytes(xml)))
    else:
        data = drawn.draw(mutated_bytes(SEEDS[name]))
    _read_or_refused(name, data)


def _read_or_refused(name: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder, limited(60.0):
        (Path(folder) / name).write_bytes(data)
        (file,) = files_below([Path(folder)])
        try:
            read = read_file(file)
            documents = cut(read.documents, BuildSettings(chunk_tokens=50, overlap=10))
        except DocumentUnreadable as refused:
            if _ours(refused.__cause__):
                raise
            return
    assert all(map(_is_whole, documents))
    assert all(reason.strip() for _, reason in read.broken)


def _ours(error: BaseException | None) -> bool:
    """Tell whether an error is a defect of our own code and no library's complaint."""
    if error is None or isinstance(error, RecursionError | MemoryError):
        return False
    *_, last = traceback.extract_tb(error.__traceback__)
    return last.filename.startswith(tools.__path__[0]) and not isinstance(error, ValueError)


def _is_whole(document: Document) -> bool:
    """Tell whether a document can be stored, and whether its fields and chunks stand in it."""
    text = document.text
    stored = [document.name, document.title, *document.fields, *document.warnings, text]
    for value in document.fields.values():
        assert value.start is None or text[value.start : value.end] == value.raw
        stored += value.items
    "".join(stored).encode()
    spans = [(chunk.start, chunk.end) for chunk in document.chunks]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert not text.strip() or spans
    return bool(document.name and document.title.strip())
