"""One megabyte of what costs a careless reader its square is read in well under its time."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agent.errors import DocumentUnreadable
from tests.tools.corpus.readers.test_pdf import pdf_of
from tools.corpus.build_settings import BuildSettings
from tools.corpus.documents import cut, read_file
from tools.corpus.processes import limited
from tools.corpus.source_files import files_below

pytestmark = pytest.mark.faults

MESSAGE = b"From: a@b.c\n%s\n\nA lease.\n"


def numbered(form: str, count: int, between: str = " ") -> bytes:
    return between.join(form % number for number in range(count)).encode()


TYPE = b"Content-Type: text/plain; "
HTML = b"<p>A lease.</p>"
HOSTILE: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "open tags": (".html", lambda: HTML + b"<a " * 300_000, "A lease.\n"),
    "open comments": (".html", lambda: HTML + b"<!--" * 250_000, "A lease.\n"),
    "attributes": (".html", lambda: b"<p %s>A." % numbered("a%d=1", 100_000), "A.\n"),
    "columns": (".csv", lambda: numbered("c%d", 40_000, ",") + b"\n" + b"1," * 40_000, "c0: 1\n"),
    "one column": (".csv", lambda: b"a," * 40_000 + b"\n" + b"1," * 40_000, "a: 1\na_2: 1\n"),
    "tables": (".json", lambda: b'{"a": [%s]}' % numbered('{"b": %d}', 90_000, ","), "0; 1"),
    "recipients": (
        ".eml",
        lambda: MESSAGE % (b"To: " + numbered("u%d@x.org", 50_000, ", ")),
        "From",
    ),
    "brackets": (".eml", lambda: MESSAGE % (b"To: " + b"[" * 300_000), "From: a@b.c\nTo: [[["),
    "parameters": (".eml", lambda: MESSAGE % (TYPE + numbered("a%d=1", 90_000, ";")), "From"),
    "one page": (
        ".pdf",
        lambda: pdf_of("A.").replace(b"4 0 R]", b"4 0 R " * 100_000 + b"]"),
        "A.\n",
    ),
    "a number": (".txt", lambda: b"+++\na = %s\n+++\n" % (b"1" * 4_400), "+++\na = 1"),
    "half a letter": (".jsonl", lambda: b'{"id": "\\ud800", "\\udc00": "\\ud800"}', "id: \ufffd\n"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOSTILE)
def test_it_is_read(tmp_path: Path, kind: str) -> None:
    suffix, made, begins = HOSTILE[kind]
    (tmp_path / f"a{suffix}").write_bytes(made())
    with limited(60.0):
        read = read_file(*files_below([tmp_path]))
        (document,) = cut(read.documents, BuildSettings())
    assert not read.broken
    assert document.text.startswith(begins)
    values = [item for value in document.fields.values() for item in value.items]
    "".join((document.name, document.title, *document.fields, *document.warnings, *values)).encode()


def test_parts_within_parts_are_unreadable(tmp_path: Path) -> None:
    part = "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d"
    nested = "\n".join(part % (number, number) for number in range(3_000))
    (tmp_path / "a.eml").write_text(f"From: a@b.c\n{nested}\n\nA lease.\n")
    with pytest.raises(DocumentUnreadable, match=r"damaged MAIL .*recursion"):
        read_file(*files_below([tmp_path]))
