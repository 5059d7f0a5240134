"""What judging costs is measured on runs that really judge."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evals.benchmarks import finding as finding_module
from evals.benchmarks.chat_server import serving
from evals.benchmarks.finding import contracts, drawn_questions, finding
from evals.benchmarks.judging_cost import JudgingRun, judging
from evals.benchmarks.memory_growth import judged_memory
from evals.benchmarks.rows import Unequal
from evals.benchmarks.scripted_run import tell
from evals.scores import Outcome
from tools.corpus.corpus import Corpus


def test_every_chunk_is_judged_in_every_run(mixed: Corpus, tmp_path: Path) -> None:
    with serving() as url:
        run = JudgingRun(mixed, url, tmp_path, 40)
        for _ in range(2):
            assert run() > 0
            assert run.chunks >= 40
            assert len(run.prompts) == run.calls > 0


def test_prompts_are_kept_only_where_they_are_needed(mixed: Corpus, tmp_path: Path) -> None:
    with serving() as url:
        run = JudgingRun(mixed, url, tmp_path, 40, keep_prompts=False)
        run()
    assert run.prompts == []


def test_the_same_prompts_go_through_the_bare_client(mixed: Corpus, tmp_path: Path) -> None:
    (row,) = judging(mixed, tmp_path, 1)
    assert (row.ours.name, row.peer.name) == ("graph node `judge`", "openai client")


def test_the_documents_with_a_drawn_word_are_all_found(mixed: Corpus, tmp_path: Path) -> None:
    calls, tokens = finding(drawn_questions(mixed), tmp_path)
    assert (calls.unit, tokens.unit) == ("calls/document", "of the corpus")
    assert calls.ours.value * len(mixed.documents) >= 1
    assert "recall of the documents 1.000" in tokens.note


def test_a_question_without_an_answer_is_refused(
    mixed: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = drawn_questions(mixed)
    one = replace(one, records=one.records[:1])
    ask = finding_module.ask

    def unanswered(*given: Any) -> Outcome:
        return replace(ask(*given), answer=None)

    monkeypatch.setattr(finding_module, "ask", unanswered)
    with pytest.raises(Unequal, match="ended 'error'"):
        finding(one, tmp_path)


def test_without_the_development_data_there_are_no_contracts(tmp_path: Path) -> None:
    assert contracts(tmp_path / "nowhere", tmp_path / "made") is None


def test_memory_is_that_of_processes_that_judge(mixed: Corpus) -> None:
    (row,) = judged_memory(mixed, 1)
    assert row.unit == "MB"
    assert row.ours.value > 20


def test_a_run_that_judges_too_little_is_refused(
    mixed: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(mixed), "__len__", lambda _: 100 * mixed.chunk_count)
    with pytest.raises(Unequal, match="chunks were judged"):
        judged_memory(mixed, 1)


def test_a_run_tells_what_it_judged(mixed: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    with serving() as url:
        tell(str(mixed.path), url, "30")
    assert '"chunks": 3' in capsys.readouterr().out
