"""Metadata of a table or a file beside: what is taken, what stays a document, what is told."""

import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest

from tests.built import write
from tests.tools.corpus.conftest import contents
from tests.tools.corpus.readers.test_sheets import workbook
from tools.corpus.build import BuildReport, build
from tools.corpus.corpus import open_corpus

pytestmark = pytest.mark.slow

TEXT = "A text on a pump, long enough to be one.\n"
TWO = {"a.txt": TEXT, "sub/b.md": TEXT}


def _indexed(tmp_path: Path, files: Mapping[str, str | bytes]) -> BuildReport:
    write(tmp_path / "docs", files)
    return build([tmp_path / "docs"], tmp_path / "x.corpus")


def _items(tmp_path: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the items of each document's fields, but for facts on the file."""
    corpus = open_corpus(tmp_path / "x.corpus")
    return {
        name: {
            field: tuple(value.items)
            for field, value in corpus.document_fields(number).items()
            if not field.startswith("file ")
        }
        for number, name in enumerate(corpus.documents)
    }


def _load_file(*rows: str, encoding: str = "utf-8") -> bytes:
    lines = ("\x14".join(f"þ{cell}þ" for cell in row.split("|")) for row in rows)
    return "\r\n".join((*lines, "")).encode(encoding)


ROWS = [["where", "Owner", "Tags"], ["a.txt", "Ann", "x; y"], ["sub/b", "Bob", "z"]]
OWNED = {
    "a": {"Owner": ("Ann",), "Tags": ("x", "y")},
    "sub/b": {"Owner": ("Bob",), "Tags": ("z",)},
}


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("metadata.csv", "\n".join(map(",".join, ROWS))),
        ("Metadata.TSV", "\n".join(map("\t".join, ROWS))),
        (
            "metadata.jsonl",
            "\n".join(json.dumps(dict(zip(ROWS[0], r, strict=True))) for r in ROWS[1:]),
        ),
        ("metadata.xlsx", workbook({"One": ROWS})),
        ("load.dat", _load_file(*map("|".join, ROWS))),
        ("load.dat", _load_file(*map("|".join, ROWS), encoding="cp1252")),
        ("load.dat", _load_file(*map("|".join, ROWS), encoding="utf-16")),
        ("load.dat", _load_file(*map("|".join, ROWS)).replace(b"sub/b", b".\\sub\\b.md")),
    ],
    ids=["csv", "tsv", "jsonl", "xlsx", "utf-8", "cp1252", "utf-16", "backslashes"],
)
def test_a_table_gives_each_file_that_it_names_its_other_columns(
    tmp_path: Path, name: str, table: str | bytes
) -> None:
    report = _indexed(tmp_path, {**TWO, name: table})

    assert _items(tmp_path) == OWNED
    assert report.metadata == (f"metadata of 2 of 2 documents from {name} (Owner: 2, Tags: 2)",)


@pytest.mark.parametrize("base", ["", "\\VOL1\\"], ids=["of the volume", "from above it"])
def test_a_load_file_speaks_of_the_folders_beside_its_own(tmp_path: Path, base: str) -> None:
    rows = ("NATIVE|Owner", f"{base}NATIVES\\1\\a.txt|Ann", f"{base}NATIVES\\1\\b.md|Bob")
    natives = {f"VOL1/NATIVES/1/{name}": TEXT for name in ("a.txt", "b.md")}
    files = {**natives, "other.txt": TEXT, "VOL1/DATA/load.dat": _load_file(*rows)}
    report = _indexed(tmp_path, files)
    assert report.metadata == ("metadata of 2 of 2 documents from VOL1/DATA/load.dat (Owner: 2)",)
    owners = {name: each.get("Owner") for name, each in _items(tmp_path).items()}
    own = {"VOL1/NATIVES/1/a": ("Ann",), "VOL1/NATIVES/1/b": ("Bob",)}
    assert owners == {"other": None, **own}


def test_a_table_is_of_its_folder_and_names_only_what_lies_there(tmp_path: Path) -> None:
    table = "path,Owner\nb,Ann\n../a.txt,Bob\nc.txt,Cid\nd.txt,Dan\ne.txt,Eve\n/f.txt,Fay\n"
    files = {f"sub/{name}.txt": TEXT for name in "bcdefg"}
    report = _indexed(tmp_path, {"a.txt": TEXT, **files, "sub/metadata.csv": table})

    owners = {name: fields.get("Owner") for name, fields in _items(tmp_path).items()}
    assert owners["a"] is None
    assert owners["sub/b"] == ("Ann",)
    assert owners["sub/f"] == ("Fay",)
    (line,) = report.metadata
    assert line == (
        "metadata of 5 of 6 documents from sub/metadata.csv (Owner: 5); "
        "1 row names no file: '../a.txt'; without a row: 'sub/g.txt'"
    )


def test_a_table_whose_rows_name_no_files_is_documents_and_near_misses_are_told(
    tmp_path: Path,
) -> None:
    report = _indexed(tmp_path, {**TWO, "metadata.csv": "path,Owner\nx.txt,Ann\ny.txt,Bob\n"})
    assert (report.documents, report.metadata) == (4, ())

    report = _indexed(tmp_path, {"metadata.csv": "path,Owner\na.txt,Ann\ny.txt,Bob\n"})
    assert report.documents == 4
    (line,) = report.metadata
    assert line == "metadata.csv: is no metadata, since 'path' names files in only 1 of 2 rows"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a.txt.json", '{"Owner": "Ann Lee", "Tags": ["x", "y"], "of": {"day": 3, "no": null}}'),
        ("a.txt.yaml", 'Owner: "Ann Lee"\nTags: [x, y]\nof:\n  day: 3\n  no: null\n'),
        ("a.json", '{"Owner": "Ann Lee", "Tags": ["x", "y"]}'),
        ("a.yml", 'Owner: "Ann Lee"\nTags: [x, y]\n'),
    ],
)
def test_a_file_beside_gives_its_values_and_is_no_document(
    tmp_path: Path, name: str, written: str
) -> None:
    report = _indexed(tmp_path, {**TWO, name: written})

    nested = {"of.day": ("3",)} if "of" in written else {}
    own = {"Owner": ("Ann Lee",), "Tags": ("x", "y"), **nested}
    assert _items(tmp_path) == {"a": own, "sub/b": {}}
    fields = ", ".join(f"{key}: 1" for key in own)
    told = f"metadata of 1 document from files beside them: '{name}' ({fields})"
    assert report.metadata == (told,)


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n" for old, new in pairwise("abcdefghi")
)
NO = "it is no valid YAML mapping, or too large with its aliases"


@pytest.mark.parametrize(
    ("name", "written", "why"),
    [
        ("a.json", '{"Owner": "Ann", "text": "What is searched."}', "'text' is a text of its own"),
        ("a.json", '{"a": {"Body": "What is searched."}}', "'a.Body' is a text of its own"),
        ("a.json", json.dumps({"note": "word " * 1000}), "'note' is a text of its own"),
        ("a.json", '[{"Owner": "Ann"}]', "it is no JSON object"),
        ("c.json", '{"Owner": "Ann"}', ""),
        ("log.dat", "1 2 3\n4 5 6\n", ""),
        ("a.yaml", "- Ann\n- Bob\n", NO),
        ("a.txt.yaml", BOMB, NO),
        ("a.txt.yaml", "Owner: Ann\n" * 10_000, "it has more than 65536 bytes"),
    ],
    ids=lambda value: value[:20],
)
def test_what_may_be_a_document_stays_one_and_is_told(
    tmp_path: Path, name: str, written: str, why: str
) -> None:
    report = _indexed(tmp_path, {**TWO, name: written})

    assert report.documents == 3
    told = f"'{name}': no metadata of a file beside: {why}"
    assert report.metadata == ((told,) if why else ())


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("metadata.xlsx", b"PK\x03\x04 damaged"),
        ("metadata.jsonl", "{broken"),
        ("load.dat", b"\xc3\xbeA\xc3\xbe\x14\xff"),
    ],
)
def test_a_table_that_cannot_be_read_is_told(
    tmp_path: Path, name: str, written: str | bytes
) -> None:
    report = _indexed(tmp_path, {**TWO, name: written})

    assert [line.partition(":")[0] for line in report.metadata] == [name]
    assert "cannot be read as metadata" in report.metadata[0]
    assert [path for path, _ in report.unreadable] == [name]


def test_front_matter_stands_above_a_table_and_that_above_the_formats_properties(
    tmp_path: Path,
) -> None:
    page = "<html><head><title>Own</title><meta name='author' content='Eve'></head>"
    files = {
        "a.txt": f"---\nOwner: Zoe\n---\n{TEXT}",
        "b.html": f"{page}<body><p>{TEXT}</p></body></html>",
        "metadata.csv": "path,owner,author,Title\na,Ann,Bob,One\nb,Ann,Bob,Two\n",
    }
    _indexed(tmp_path, files)

    found = _items(tmp_path)
    corpus = open_corpus(tmp_path / "x.corpus")
    assert [value for key, value in found["a"].items() if key.casefold() == "owner"] == [("Zoe",)]
    assert [value for key, value in found["b"].items() if key.casefold() == "author"] == [("Bob",)]
    assert list(corpus.titles) == ["One", "Two"]


def test_values_that_differ_are_all_kept_and_told(tmp_path: Path) -> None:
    files = {
        **TWO,
        "metadata.csv": "path,Owner,owner\na,Ann,Ann\na.txt,Bob,Bob\nsub/b,Cid,Cid\n",
        "a.txt.json": '{"OWNER": "Dan"}',
    }
    report = _indexed(tmp_path, files)

    assert _items(tmp_path)["a"] == {"OWNER": ("Dan", "Ann", "Bob")}
    assert "says different things of 1 document ('a.txt'), all are kept: 'OWNER'" in str(
        report.metadata
    )


def test_native_and_text_of_a_row_both_have_its_fields_where_few_rows_name_a_native(
    tmp_path: Path,
) -> None:
    rows = ("DOCID|CUSTODIAN|NATIVE|TEXT", "D1|Ann||a.txt", "D2|Bob|deep\\c.txt|sub\\b.md")
    _indexed(tmp_path, {**TWO, "deep/c.txt": TEXT, "load.dat": _load_file(*rows)})

    owners = {name: fields["CUSTODIAN"] for name, fields in _items(tmp_path).items()}
    assert owners == {"a": ("Ann",), "sub/b": ("Bob",), "deep/c": ("Bob",)}


def test_a_boolean_has_one_form_however_a_format_writes_it(tmp_path: Path) -> None:
    files = {
        "a.md": f"---\nopen: yes\nland: NO\nnew: no\n---\n{TEXT}",
        "b.md": f'+++\nopen = true\nland = "SE"\n+++\n{TEXT}',
        "c.md": f'---\nopen: "yes"\nland: "NO"\n---\n{TEXT}',
        "d.txt": TEXT,
        "d.txt.json": '{"open": false, "land": "NO", "new": "yes"}',
        "e.txt": TEXT,
        "e.txt.yaml": "open: Off\nland: NO\nnew: n/a\n",
        "f.txt": TEXT,
        "f.txt.json": '{"open": "no"}',
    }
    _indexed(tmp_path, files)

    found = _items(tmp_path)
    opened = {name: own["open"][0] for name, own in found.items()}
    assert opened == {"a": "true", "b": "true", "c": "yes", "d": "false", "e": "false", "f": "no"}
    assert [each["land"][0] for each in found.values() if "land" in each] == [
        *("NO", "SE", "NO", "NO", "NO")
    ]
    assert [found[name]["new"] for name in "ad"] == [("no",), ("yes",)]


CHANGES: dict[str, dict[str, str | None]] = {
    "a row": {"metadata.csv": "path,Owner\na,Ann\nsub/b,Dan\n"},
    "no table": {"metadata.csv": None},
    "another table": {"metadata.csv": "path,Owner\nx,Ann\ny,Bob\n"},
    "nothing beside": {"a.txt.json": None},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_after_a_change_the_corpus_is_as_from_nothing(
    tmp_path: Path, change: Mapping[str, str | None]
) -> None:
    table = {"metadata.csv": "path,Owner\na,Ann\nsub/b,Bob\n", "a.txt.json": '{"Day": 3}'}
    _indexed(tmp_path, {**TWO, **table})
    for name, written in change.items():
        (tmp_path / "docs" / name).unlink()
        write(tmp_path / "docs", {} if written is None else {name: written})

    build([tmp_path / "docs"], tmp_path / "x.corpus")
    build([tmp_path / "docs"], tmp_path / "fresh.corpus")

    assert contents(tmp_path / "x.corpus") == contents(tmp_path / "fresh.corpus")


def test_a_column_called_as_a_fact_on_the_file_stands_beside_the_fact(tmp_path: Path) -> None:
    table = "path,File Name,filesize,Owner\na.txt,draft.doc,7,Ann\nsub/b.md,old.doc,9,Bo\n"
    _indexed(tmp_path, {**TWO, "metadata.csv": table})

    own = open_corpus(tmp_path / "x.corpus").document_fields(0)
    assert {key: own[key].raw for key in ("file name", "file size")} == {
        "file name": "a.txt",
        "file size": str(len(TEXT)),
    }
    assert (own["stated File Name"].raw, own["stated filesize"].raw) == ("draft.doc", "7")
