from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from evals.cli import app
from evals.questions import Record, load


def built(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["build", "aggbench", *arguments])


@pytest.fixture
def benchmark(core: Path, others: Path, tmp_path: Path) -> Path:
    into = tmp_path / "made"
    result = built(
        str(core), "--into", str(into), "--expand", str(others), "--noun", "report", "reports",
        "--band", "0", "1000", "--singles", "12", "--composites", "8",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    return into


def record_of(into: Path, question: str, corpus: str = "core") -> Record:
    return next(each for each in load(into / f"{corpus}.jsonl") if question in each.question)


def test_answers_are_those_of_the_documents(benchmark: Path) -> None:
    closed = record_of(benchmark, "have the status “Withdrawn”")
    assert closed.answer == tuple(f"report-{number:02}" for number in range(3, 20, 4))
    risks = record_of(benchmark, "headed “Known Risks”")
    assert risks.answer == ("report-01", "report-07", "report-13", "report-19")
    osprey = record_of(benchmark, "mention “Osprey”")
    assert osprey.answer == ("report-00", "report-05", "report-10", "report-15")


def test_every_piece_of_evidence_is_the_documents_own_text(benchmark: Path) -> None:
    for corpus in ("core", "expanded"):
        for record in load(benchmark / f"{corpus}.jsonl"):
            assert record.gold_evidence
            for each in record.gold_evidence:
                text = (benchmark / corpus / f"{each.document}.txt").read_text("utf-8")
                assert text[each.start : each.end] == each.text
                assert each.condition in {one.label for one in record.conditions}
