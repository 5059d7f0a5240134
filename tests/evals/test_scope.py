from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.errors import QuestionError
from evals.questions import Record
from evals.scope import Scope, folder_of, scope_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("docs_header", "docs_body"):
        (tmp_path / name).mkdir()
    (tmp_path / "core.txt").write_text("one\n\ntwo words\n", encoding="utf-8")
    return tmp_path / "docs_header"


@pytest.mark.parametrize(
    ("corpus", "name"),
    [
        pytest.param("", "docs_header", id="none named"),
        pytest.param("x/docs_header", "docs_header", id="the same"),
        pytest.param("x/docs_body", "docs_body", id="a sibling"),
        pytest.param("x/docs_body restricted to core.txt", "docs_body", id="with words after it"),
        pytest.param("x/elsewhere", "docs_header", id="no such sibling"),
        pytest.param("x/..", "docs_header", id="not a name"),
    ],
)
def test_the_folder_follows_the_records_corpus(
    record_of: Callable[..., Record], folder: Path, corpus: str, name: str
) -> None:
    assert folder_of(record_of(corpus=corpus), folder).name == name


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        pytest.param({}, None, id="whole folder"),
        pytest.param({"corpus_filter": "all"}, None, id="all"),
        pytest.param({"corpus_filter": "core.txt"}, {"one", "two words"}, id="a file"),
        pytest.param({"corpus_filter": ["one"]}, {"one"}, id="a list"),
        pytest.param({"documents": ["a"], "corpus_filter": "core.txt"}, {"a"}, id="documents"),
        pytest.param({"db_id": "d", "gold_documents": ["d"]}, {"d"}, id="attached document"),
        pytest.param(
            {
                "gold_documents": ["d", "e"],
                "conditions": [{"text": "document set given in gold_documents"}],
            },
            {"d", "e"},
            id="given set",
        ),
        pytest.param(
            {"gold_documents": ["d"], "conditions": [{"text": "is red"}]}, None, id="mere gold"
        ),
    ],
)
def test_a_record_says_over_what_it_is_asked(
    record_of: Callable[..., Record], folder: Path, fields: dict[str, Any], names: set[str] | None
) -> None:
    assert scope_of(record_of(**fields), folder) == Scope(
        folder, None if names is None else frozenset(names)
    )


def test_a_rule_goes_before_the_record(record_of: Callable[..., Record], folder: Path) -> None:
    record = record_of(corpus_filter="core.txt", gold_documents=["g"])
    assert scope_of(record, folder, "all").names is None
    assert scope_of(record, folder, "gold").names == frozenset({"g"})


def test_a_missing_filter_file_says_so(record_of: Callable[..., Record], folder: Path) -> None:
    with pytest.raises(QuestionError, match=r"'none\.txt'"):
        scope_of(record_of(corpus_filter="none.txt"), folder)
