from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from agent.answer import Answer
from agent.errors import CorpusError
from evals.question_run import Bench
from evals.questions import Record
from evals.scope import Scope
from evals.scores import Outcome


def _bench(folder: Path, corpus: Any, ask: Any, **fields: Any) -> Bench:
    settled = {"documents": folder, "rule": "record", "open": lambda _: corpus, "ask": ask}
    return Bench(**cast("Any", {**settled, **fields}))


@pytest.fixture
def records(record_of: Callable[..., Record]) -> list[Record]:
    return [record_of(id=name, question="red", answer=["a"], gold_documents=["a"]) for name in "xy"]


def test_a_fault_is_that_questions_result(
    tmp_path: Path,
    records: list[Record],
    corpus_of: Callable[..., Any],
    answer_of: Callable[..., Answer],
) -> None:
    def ask(record: Record, _: Any) -> Outcome:
        if record.id == "x":
            raise KeyError("lost")
        return Outcome(answer=answer_of(["a"]))

    found = list(_bench(tmp_path, corpus_of({"a": "red"}), ask).run(records))
    assert [each.score.status for each in found] == ["error", "answered"]
    assert [each.error for each in found] == ["KeyError: 'lost'", ""]


def test_documents_that_cannot_be_indexed_end_the_run(
    tmp_path: Path, records: list[Record]
) -> None:
    def refuse(scope: Scope) -> Any:
        raise CorpusError(f"nothing readable in {scope.folder}")

    bench = _bench(tmp_path, None, lambda *_: Outcome(error="never asked"), open=refuse)
    with pytest.raises(CorpusError):
        list(bench.run(records))


def test_the_baseline_is_measured_on_demand(
    tmp_path: Path, records: list[Record], corpus_of: Callable[..., Any]
) -> None:
    corpus = corpus_of({"a": "red", "b": "blue"})
    bench = _bench(tmp_path, corpus, lambda *_: Outcome(error="none"), baseline=True)
    (first, _) = bench.run(records)
    assert first.baseline is not None
    assert first.baseline.chunks[1] == 1.0
