from pathlib import Path

import pytest

from agent.errors import QuestionError
from evals.scope import Corpora, Scope


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "deep").mkdir(parents=True)
    for name in ("one", "two", "deep/three"):
        text = f"The wall of {name} is red. The door is blue.\n"
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def test_a_folder_is_indexed_once(tmp_path: Path, folder: Path) -> None:
    said: list[str] = []
    corpora = Corpora(tmp_path / "kept", said.append)
    first = corpora.over(Scope(folder))
    assert set(first.documents) == {"one", "two", "deep/three"}
    assert corpora.over(Scope(folder)) is first
    assert len(said) == 1


def test_a_scope_holds_its_documents_only_under_the_same_names(
    tmp_path: Path, folder: Path
) -> None:
    corpora = Corpora(tmp_path / "kept", lambda _: None)
    corpus = corpora.over(Scope(folder, frozenset({"one", "three"})))
    assert set(corpus.documents) == {"one", "deep/three"}


def test_distinct_scopes_have_distinct_indexes(tmp_path: Path, folder: Path) -> None:
    corpora = Corpora(tmp_path / "kept", lambda _: None)
    one = corpora.over(Scope(folder, frozenset({"one"})))
    two = corpora.over(Scope(folder, frozenset({"two"})))
    assert (list(one.documents), list(two.documents)) == (["one"], ["two"])


def test_a_document_that_is_not_there_is_named(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(QuestionError, match="'four'"):
        Corpora(tmp_path / "kept", lambda _: None).over(Scope(folder, frozenset({"one", "four"})))
