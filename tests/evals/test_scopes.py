from pathlib import Path
from typing import Any

import pytest

from agent.errors import QuestionError
from evals.names import DocumentNames
from evals.scopes import Corpora, Scope, folder_of, scope_of
from tests.built import write
from tests.evals.question_files import record_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("docs_header", "docs_body"):
        (tmp_path / name).mkdir()
    (tmp_path / "core.txt").write_text("one\n\ntwo words\n", encoding="utf-8")
    return tmp_path / "docs_header"


@pytest.mark.parametrize(
    ("corpus", "name"),
    [
        ("", "docs_header"),
        ("x/docs_header", "docs_header"),
        ("x/docs_body", "docs_body"),
        ("x/docs_body restricted to core.txt", "docs_body"),
        ("x/elsewhere", "docs_header"),
        ("x/..", "docs_header"),
    ],
)
def test_the_folder_follows_the_records_corpus(folder: Path, corpus: str, name: str) -> None:
    assert folder_of(record_of(corpus=corpus), folder).name == name


ASKED_OVER = {
    "whole folder": ({}, None),
    "all": ({"corpus_filter": "all"}, None),
    "a file": ({"corpus_filter": "core.txt"}, {"one", "two words"}),
    "documents": ({"documents": ["a"], "corpus_filter": "core.txt"}, {"a"}),
    "attached document": ({"db_id": "d", "gold_documents": ["d"]}, {"d"}),
    "given set": (
        {
            "gold_documents": ["d", "e"],
            "conditions": [{"text": "document set given in gold_documents"}],
        },
        {"d", "e"},
    ),
    "mere gold": ({"gold_documents": ["d"], "conditions": [{"text": "is red"}]}, None),
}


@pytest.mark.parametrize(("fields", "names"), ASKED_OVER.values(), ids=ASKED_OVER)
def test_a_record_says_over_what_it_is_asked(
    folder: Path, fields: dict[str, Any], names: set[str] | None
) -> None:
    assert scope_of(record_of(**fields), folder) == Scope(
        folder, None if names is None else frozenset(names)
    )
    assert scope_of(record_of(**fields), folder, noise=True) == Scope(folder)


def test_a_missing_filter_file_says_so(folder: Path) -> None:
    with pytest.raises(QuestionError, match=r"'none\.txt'"):
        scope_of(record_of(corpus_filter="none.txt"), folder)


@pytest.fixture
def walls(tmp_path: Path) -> Path:
    text = "The wall is red. The door is blue.\n"
    return write(tmp_path / "docs", dict.fromkeys(("one.txt", "two.txt", "deep/three.txt"), text))


def test_a_folder_is_indexed_once_and_a_document_that_is_not_there_is_named(
    tmp_path: Path, walls: Path
) -> None:
    said: list[str] = []
    corpora = Corpora(tmp_path / "kept", said.append)
    first = corpora.over(Scope(walls))
    assert set(first.documents) == {"one", "two", "deep/three"}
    assert corpora.over(Scope(walls)) is first
    assert len(said) == 1
    with pytest.raises(QuestionError, match="'four'"):
        corpora.over(Scope(walls, frozenset({"one", "four"})))


def test_an_expansion_is_added_without_its_manifest(tmp_path: Path, walls: Path) -> None:
    manifest = '{"valid_question_ids": ["q1"]}'
    more = write(tmp_path / "more", {"mill.txt": "A mill.\n", "manifest.json": manifest})
    corpora = Corpora(tmp_path / "kept", lambda _: None)
    corpus = corpora.over(Scope(walls, frozenset({"one"}), more))
    assert set(corpus.documents) == {"one", "expansion/mill"}


def test_a_document_is_found_by_its_last_part_where_that_occurs_once() -> None:
    names = DocumentNames(["a/one", "b/one", "b/two"])
    assert (names.find("two"), names.find("b/one"), names.find("one")) == (2, 1, None)
