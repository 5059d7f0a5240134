from pathlib import Path

import pytest

from agent.errors import SettingsError
from evals.ambiguity.cases import Case, Dump, Source, Words
from evals.ambiguity.rendered import Places, checked
from evals.questions import Record
from evals.scopes import Corpora


def case_of(source: Source) -> Case:
    return Case(id="q1", question="How many?", codes=(), source=source)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.txt").write_text(f"This is {name}.\n", encoding="utf-8")
    return folder


def places(tmp_path: Path, documents: Path | None = None) -> Places:
    into = tmp_path / "into"
    into.mkdir(exist_ok=True)
    return Places(documents, into, Corpora(into, print))


def test_a_database_becomes_a_document_a_thing(tmp_path: Path, folder: Path, sql: str) -> None:
    corpus = places(tmp_path, folder).of(case_of(Dump("hotels", sql)))
    assert len(corpus.documents) == 7
    assert {"Name", "Capacity", "City"} <= {field.name for field in corpus.fields}


def test_a_database_without_rows_is_one_text_that_says_so(tmp_path: Path) -> None:
    corpus = places(tmp_path).of(case_of(Dump("none", "")))
    assert corpus.document_text(0) == "none has no rows\n"


def test_words_alone_are_their_own_corpus(tmp_path: Path) -> None:
    corpus = places(tmp_path).of(case_of(Words("Where is it?")))
    assert corpus.document_text(0) == "Where is it?\n"


def test_words_alone_are_asked_over_the_folder_that_is_given(tmp_path: Path, folder: Path) -> None:
    corpus = places(tmp_path, folder).of(case_of(Words("Where is it?")))
    assert list(corpus.documents) == ["a", "b"]


def test_a_record_names_its_documents(tmp_path: Path, folder: Path) -> None:
    record = Record(id="q1", question="?", documents=("b",))
    assert list(places(tmp_path, folder).of(case_of(record)).documents) == ["b"]


def test_a_record_needs_a_folder(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="'q1' needs --documents"):
        places(tmp_path).of(case_of(Record(id="q1", question="?")))


def test_what_is_no_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="is not a folder"):
        checked(tmp_path / "none")
