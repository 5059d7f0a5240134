import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evals.commands import app
from evals.compare.search_case import Case, cases
from evals.compare.search_curves import METHODS, compare_orders, report, table

REPO_ROOT = Path(__file__).parents[3]
DATA = Path(os.environ.get("HEADCOUNT_DATA", REPO_ROOT / "../shared/data"))
MATCH = "The tenant shall keep an insurance policy for the benefit of the landlord."
OTHER = "Payment falls due thirty days after the invoice."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty contracts, every sixth of which requires insurance, and questions over them."""
    top = tmp_path_factory.mktemp("search")
    documents = top / "docs"
    documents.mkdir()
    for number in range(30):
        clause = MATCH if number % 6 == 0 else OTHER
        (documents / f"c{number:02}.txt").write_text(f"Letter {number}.\n\n{clause}\n")
    (top / "other").mkdir()
    evidence = [
        {"document": f"c{number:02}", "text": MATCH, "condition": "insured"}
        for number in range(0, 30, 6)
    ]
    record = {
        "id": "q1",
        "corpus": "x/docs",
        "question": "How many contracts require insurance for the landlord?",
        "conditions": [{"label": "insured", "text": "require insurance for the landlord"}],
        "gold_evidence": evidence,
    }
    elsewhere = record | {"id": "q2", "corpus": "x/other"}
    unknown = record | {"id": "q3", "gold_evidence": []}
    lines = [json.dumps(each) for each in (elsewhere, unknown, record)]
    (top / "questions.jsonl").write_text("\n".join(lines))
    return top


@pytest.fixture(scope="module")
def case(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Case:
    place = tmp_path_factory.mktemp("indexes")
    found = list(cases(folder / "questions.jsonl", folder / "docs", place, print, None))
    assert [each.record.id for each in found] == ["q1"]
    return found[0]


def test_the_gold_judge_quotes_the_evidence_of_each_chunk(case: Case) -> None:
    assert set(case.sought[0].quotes) == case.present
    assert set(case.sought[0].quotes.values()) == {MATCH}


@pytest.mark.parametrize("name", list(METHODS))
def test_every_method_reads_each_chunk_once(case: Case, name: str) -> None:
    assert sorted(METHODS[name](case)) == list(range(len(case.corpus)))


def test_feedback_reads_no_more_than_a_scan_and_no_less_than_the_oracle(case: Case) -> None:
    result = compare_orders([case], print)[0]
    shares = {name: each.share_at(1.0) for name, each in result.curves.items()}
    assert shares["oracle"] <= shares["headcount"] < shares["full_scan"]


def test_the_report_has_the_agreed_keys(case: Case) -> None:
    results = compare_orders([case], print)
    told = json.loads(json.dumps(report(results)))["curves"]
    assert set(told) == set(METHODS)
    for method in told.values():
        assert set(method) == {"share_at_80", "share_at_95", "share_at_100"}
    assert "headcount" in table(results)


def test_the_command_writes_json(folder: Path, tmp_path: Path) -> None:
    command = ["compare", "search", "--questions", str(folder / "questions.jsonl")]
    command += ["--documents", str(folder / "docs"), "--keep", str(tmp_path / "keep")]
    command += ["--json", str(tmp_path / "r.json")]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert json.loads((tmp_path / "r.json").read_text())["questions"] == 1


@pytest.mark.parametrize(
    ("flags", "told"),
    [(["--reasoner", "rules"], "cannot judge")],
    ids=["reasoner"],
)
def test_what_cannot_be_done_is_said_before_anything_is_read(
    folder: Path, flags: list[str], told: str
) -> None:
    command = ["compare", "search", "--questions", str(folder / "questions.jsonl")]
    result = CliRunner().invoke(app, [*command, "--documents", str(folder / "docs"), *flags])
    assert result.exit_code == 1
    assert told in result.output


def test_on_real_contracts_feedback_reads_less_than_ranking(tmp_path: Path) -> None:
    questions, documents = DATA / "questions/cuad_dev.jsonl", DATA / "cuad/dev/docs"
    if not questions.is_file():
        pytest.skip("the shared data is not here: set HEADCOUNT_DATA")
    methods = {name: METHODS[name] for name in ("fused", "plain_feedback", "headcount")}
    results = compare_orders(cases(questions, documents, tmp_path, print, 8), print, methods)
    shares = {name: sum(each.curves[name].share_at(0.8) for each in results) for name in methods}
    assert shares["headcount"] < shares["plain_feedback"] < shares["fused"]
