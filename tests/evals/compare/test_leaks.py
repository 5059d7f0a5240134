"""A filter call that loses evidence is put into real searches; an audit that sees it undoes it."""

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evals.cli import app
from evals.compare.leaks_calls import LEAKING, SOUND, injected, plausible
from evals.compare.leaks_report import report, searched, table
from evals.compare.leaks_run import Way, went
from evals.compare.search_case import Case, cases
from evals.spans import recall

REPO_ROOT = Path(__file__).parents[3]
DATA = Path(os.environ.get("HEADCOUNT_DATA", REPO_ROOT / "../shared/data"))
TERMS = ("insurance", "cover", "policy")
"""Three wordings of one clause: a call that knows one of them loses the others."""


def _letter(number: int) -> str:
    word = TERMS[number // 2 % 3]
    clause = f"The tenant shall keep an {word} for the benefit of the landlord, number {number}."
    filler = " ".join(
        f"Paragraph {part} of letter {number} tells of rent, stairs and heating."
        for part in range(60)
    )
    return f"Letter {number}.\n\n{filler}\n\n{clause if number % 2 else ''}\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("leaks")
    documents = top / "docs"
    documents.mkdir()
    evidence = []
    for number in range(48):
        text = _letter(number)
        (documents / f"c{number:02}.txt").write_text(text)
        if number % 2:
            clause = text.strip().rpartition("\n")[2]
            evidence.append({"document": f"c{number:02}", "text": clause, "condition": "insured"})
    record = {
        "id": "q1",
        "corpus": "x/docs",
        "question": "How many letters require insurance for the landlord?",
        "conditions": [{"label": "insured", "text": "require insurance for the landlord"}],
        "gold_evidence": evidence,
    }
    (top / "questions.jsonl").write_text(json.dumps(record))
    return top


@pytest.fixture(scope="module")
def case(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Case:
    place = tmp_path_factory.mktemp("indexes")
    (found,) = cases(folder / "questions.jsonl", folder / "docs", place, print, None)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_call_put_in_keeps_a_share_and_loses_as_much_as_it_says(case: Case, seed: int) -> None:
    made = injected(case, seed, leaking=True)
    assert made is not None
    assert made == injected(case, seed, leaking=True)
    assert 0.02 * len(case.corpus) <= len(made.kept) <= 0.6 * len(case.corpus)
    assert made.lost >= LEAKING
    assert made.lost == pytest.approx(1 - (recall(case.gold, set(made.kept)) or 0))


def test_a_sound_call_loses_next_to_nothing(case: Case) -> None:
    made = injected(case, 0, leaking=False)
    assert made is None or made.lost <= SOUND


def test_calls_are_of_the_tools_that_a_model_is_offered(case: Case) -> None:
    calls = list(plausible(case))
    assert {each.tool for each in calls} == {"keywords", "regex", "bm25", "semantic"}
    assert len({each.model_dump_json() for each in calls}) == len(calls)


def test_the_call_is_made_in_the_filter_stage_and_undone_by_the_audit(case: Case) -> None:
    made = injected(case, 0, leaking=True)
    assert made is not None
    ours = went(case, made, Way(feedback=False, undoing=True, audit=40))
    alone = went(case, made, Way(feedback=False, undoing=False, audit=40))
    assert (ours.made, ours.seen, ours.undone) == (True, True, True)
    assert "ruled out, which is undone" in ours.why
    assert (alone.made, alone.seen, alone.undone) == (True, True, False)
    assert ours.recall > alone.recall


def test_the_report_tells_each_kind_of_search_and_each_undoing(case: Case) -> None:
    found = searched([case], 1, 40, print)
    told = json.loads(json.dumps(report(found)))
    assert "leaking call, feedback off" in told["figures"]
    assert "leaking call, feedback on" in told["figures"]
    kinds = [name for name in told["figures"] if not name.endswith("undone")]
    assert sum(told["figures"][name]["searches"] for name in kinds) == len(found)
    assert {each["question"] for each in told["undone"]} <= {"q1"}
    assert "leaking call, feedback off" in table(found)


def test_the_command_writes_json(folder: Path, tmp_path: Path) -> None:
    into = tmp_path / "leaks.json"
    asked = ["--questions", str(folder / "questions.jsonl"), "--documents", str(folder / "docs")]
    arguments = ["compare", "leaks", *asked, "--audit", "40", "--json", str(into)]
    told = CliRunner().invoke(app, arguments)
    assert told.exit_code == 0, told.output
    assert set(json.loads(into.read_text())) == {"audit", "seeds", "figures", "undone"}


def test_questions_without_evidence_are_an_error_in_one_line(folder: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.jsonl"
    record = json.loads((folder / "questions.jsonl").read_text()) | {"gold_evidence": []}
    bare.write_text(json.dumps(record))
    told = CliRunner().invoke(
        app,
        ["compare", "leaks", "--questions", str(bare), "--documents", str(folder / "docs")],
    )
    assert told.exit_code == 1
    assert "has evidence and a plausible filter call" in told.output


@pytest.mark.skipif(not DATA.is_dir(), reason=f"{DATA} is not there: set HEADCOUNT_DATA")
def test_on_real_contracts_a_leaking_call_is_undone_and_a_sound_one_is_not(tmp_path: Path) -> None:
    questions, documents = DATA / "questions" / "cuad_dev.jsonl", DATA / "cuad" / "dev" / "docs"
    found = searched(cases(questions, documents, tmp_path, print, 10), 1, None, print)
    undone = [each for each in found if each.undoing.undone]
    assert undone
    assert all(each.injected.leaking and not each.feedback for each in undone)
    assert all(each.undoing.recall >= each.ranked.recall for each in undone)
    assert any(each.undoing.recall > each.ranked.recall for each in undone)
