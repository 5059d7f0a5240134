import json
import os
from pathlib import Path
from typing import Any

import pytest

from agent.errors import DocumentUnreadable
from tests.built import write
from tools.corpus.build_settings import BuildSettings
from tools.corpus.documents import Document, cut, read_file
from tools.corpus.source_files import files_below


def _all(root: Path) -> dict[str, Document]:
    read = (read_file(file).documents for file in files_below([root]))
    return {found.name: found for each in read for found in cut(each, BuildSettings())}


def test_a_document_has_its_path_title_fields_and_digest(tmp_path: Path) -> None:
    told = b"Title: Rope, Nails, Glue\r\nStatus: Open\r\n\r\nBody.\r\n"
    write(tmp_path, {"sub/a.txt": told})
    document = _all(tmp_path)["sub/a"]
    assert (document.path, document.title, document.reader) == (
        "sub/a.txt",
        "Rope, Nails, Glue",
        "text",
    )
    assert document.text == "Title: Rope, Nails, Glue\nStatus: Open\n\nBody.\n"
    status = document.fields["Status"]
    assert document.text[status.start : status.end] == status.raw == "Open"
    assert document.fields["file folder"].items == ("sub",)
    assert document.fields["file size"].number == (tmp_path / "sub" / "a.txt").stat().st_size
    assert len(document.digest) == 64


@pytest.mark.parametrize(
    ("text", "title"),
    [("# Head\n\ntext", "Head"), ("plain text", "a"), ("Name: N\nKind: K\n\n# Head", "N")],
)
def test_the_title_is_the_header_s_else_the_first_heading_else_the_name(
    tmp_path: Path, text: str, title: str
) -> None:
    (tmp_path / "a.md").write_text(text)
    assert _all(tmp_path)["a"].title == title


@pytest.mark.parametrize(("before", "title"), [(8188, "Ropes and knots"), (8192, "a")])
def test_a_title_begins_in_the_first_kilobytes_and_is_whole(
    tmp_path: Path, before: int, title: str
) -> None:
    prose = "It holds. " * 900
    (tmp_path / "a.txt").write_text(prose[: before - 2] + "\n\n# Ropes and knots\n\nEnd.\n")
    assert _all(tmp_path)["a"].title == title


def test_files_that_differ_in_suffix_have_distinct_names(tmp_path: Path) -> None:
    for name in ("a.txt", "a.md", "a.xyz", "a.txt.md", "b.xyz", "Form 10.17", "README"):
        (tmp_path / name).write_text("text")
    documents = _all(tmp_path)
    assert {document.path: name for name, document in documents.items()} == {
        "a.md": "a",
        "a.txt": "a.txt",
        "a.txt.md": "a.txt.md",
        "a.xyz": "a.xyz",
        "b.xyz": "b",
        "Form 10.17": "Form 10.17",
        "README": "README",
    }


def test_a_folder_is_walked_in_order_and_without_hidden_files(tmp_path: Path) -> None:
    names = ("b.txt", "a/z.txt", ".git/x.txt", ".hidden", "a/.swp")
    write(tmp_path, dict.fromkeys(names, "text"))
    walked = [file.path for file in files_below([tmp_path])]
    assert walked == ["b.txt", "a/z.txt"]


def test_links_out_of_the_root_are_refused_and_links_within_are_read(tmp_path: Path) -> None:
    outside, root = (write(tmp_path / each, {"a.txt": "text"}) for each in ("outside", "root"))
    (root / "out.txt").symlink_to(outside / "a.txt")
    (root / "folder").symlink_to(outside)
    (root / "within.txt").symlink_to(root / "a.txt")
    reasons = {}
    for file in files_below([root]):
        try:
            read_file(file)
        except DocumentUnreadable as error:
            reasons[file.path] = str(error)
    assert set(reasons) == {"out.txt", "folder"}
    assert all("symbolic link" in reason for reason in reasons.values())


@pytest.mark.parametrize("moment", ["listed", "checked"])
def test_a_folder_swapped_for_a_link_after_listing_leads_to_nothing_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    secret, sub = (write(tmp_path / each, {"a.txt": "text"}) for each in ("secret", "root/sub"))
    (file,) = files_below([tmp_path / "root"])
    opens = os.open

    def swap(*given: Any, **how: Any) -> int:
        if not sub.is_symlink():
            sub.rename(tmp_path / "moved")
            sub.symlink_to(secret)
        return opens(*given, **how)

    if moment == "checked":
        monkeypatch.setattr(os, "open", swap)
        monkeypatch.setattr(os, "supports_dir_fd", {swap})
    else:
        os.close(swap(tmp_path, os.O_RDONLY))
    with pytest.raises(DocumentUnreadable, match=r"symbolic link|Not a directory"):
        read_file(file)


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.txt", b"", "empty"),
        ("a.txt", b" \n", "empty"),
        ("a.txt", bytes(range(256)) * 4, "binary"),
        ("a.xyz", b"text\0text" * 200, "no reader for '.xyz'"),
        ("a.pdf", b"not a pdf", "damaged PDF"),
        ("a.docx", b"not a zip", "damaged DOCX"),
        ("a.rtf", b"A lease.", "no Rich Text in it"),
        ("a.msg", b"A lease.", "damaged MSG"),
        ("a.json", b"{", "no JSON"),
        ("a.jsonl", b"[1]\n[2]", "line 1 is no JSON object"),
        ("a.csv", b"only,a,header", "header row and at least one row"),
        ("a.html", b"<html><script>x()</script></html>", "no text"),
    ],
)
def test_an_unreadable_file_has_one_reason(
    tmp_path: Path, name: str, data: bytes, reason: str
) -> None:
    (tmp_path / name).write_bytes(data)
    (file,) = files_below([tmp_path])
    with pytest.raises(DocumentUnreadable, match=reason):
        read_file(file)


def test_rows_are_documents_named_by_their_id(tmp_path: Path) -> None:
    rows = [
        {"id": "x", "text": "Hello \ud800 there", "tags": ["b", "c"], "price": 3},
        {"id": "x", "text": "Two"},
        {"text": "Three"},
    ]
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, rows)))
    documents = _all(tmp_path)
    assert list(documents) == ["r#x", "r#x~2", "r#3"]
    first = documents["r#x"]
    assert first.text == "Hello \ufffd there"
    assert first.fields["tags"].items == ("b", "c")
    assert first.fields["price"].number == 3
    assert first.warnings
    assert len({document.digest for document in documents.values()}) == 3
