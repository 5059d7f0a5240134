"""Batching methods are compared on the same candidates, with LC and CP of each."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from agent.errors import SettingsError
from evals.commands import app
from evals.compare.batching import ABLATIONS, Case, cases, choice, compare_methods, report
from evals.experiments.experiment import Collection
from evals.questions import load
from evals.scopes import Corpora
from tools.batching import METHODS, Limits, candidate_pairs, llm_calls

REPO_ROOT = Path(__file__).parents[3]
DATA = Path(os.environ.get("HEADCOUNT_DATA", REPO_ROOT / "../shared/data"))
CLAUSE = "The {name} may terminate on {days} days' notice."
FILLER = " Deliveries of timber are weighed at the gate and entered in the book of the mill." * 60


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    evidence = []
    for days, name in enumerate(("buyer", "seller", "carrier"), start=30):
        clause = CLAUSE.format(name=name, days=days)
        text = f"{clause}{FILLER}\n\n{clause} Again.{FILLER}\n"
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        for start in (0, text.rindex(clause)):
            span = {"start": start, "end": start + len(clause), "text": clause}
            evidence.append({"document": name, **span})
    names = ["buyer", "seller", "carrier"]
    record = {
        "id": "q1",
        "question": "How many contracts may be terminated on notice?",
        "answer": names,
        "gold_documents": names,
        "gold_evidence": evidence,
    }
    other = {"id": "q2", "question": "How many days is the longest notice?", "answer_value": 32}
    lines = [json.dumps(each) for each in (record, other)]
    (tmp_path / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def taken(folder: Path, chosen: str = "all", expansion: Path | None = None) -> list[Case]:
    collection = Collection(
        name="c",
        questions=folder.parent / "questions.jsonl",
        documents=folder,
        expansion=expansion,
    )
    corpora = Corpora(folder.parent / "keep", lambda _: None)
    return list(cases(collection, choice(chosen), corpora))


def run(folder: Path, *more: str) -> Result:
    questions = folder.parent / "questions.jsonl"
    where = ["--questions", str(questions), "--documents", str(folder)]
    return CliRunner().invoke(app, ["compare", "batching", *where, *more])


def test_all_methods_and_ablations_are_told_with_lc_and_cp(folder: Path) -> None:
    target = folder.parent / "out.json"
    result = run(folder, "--candidates", "all", "--limit", "700", "--json", str(target))
    assert result.exit_code == 0, result.output
    told: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
    assert set(told["methods"]) | set(told["unavailable"]) == {*METHODS, *ABLATIONS}
    assert all(each["LC"] > 0 and each["CP"] >= 0 for each in told["methods"].values())
    assert told["methods"]["kmeans"]["LC_ratio"] == 1
    assert told["pairs"] == "entity"
    assert told["questions"] == 2
    for name in told["methods"]:
        assert f"| {name} " in result.output


def test_pairs_hold_evidence_of_one_document_of_the_answer(folder: Path) -> None:
    first, second = taken(folder)
    assert len(first.pairs["entity"]) >= 3
    document = dict(
        zip(first.candidates.ids.tolist(), first.candidates.documents.tolist(), strict=True)
    )
    assert all(document[left] == document[right] for left, right in first.pairs["entity"])
    assert first.pairs["entity"] < first.pairs["condition"]
    assert not second.pairs["entity"]
    assert (first.candidates.by_document, second.candidates.by_document) == (True, False)


def test_without_labelled_pairs_similar_ones_are_counted(folder: Path) -> None:
    found = compare_methods(taken(folder)[1:], Limits(700))
    assert found.counted == "similar"
    methods = report(found)["methods"]
    assert isinstance(methods, dict)
    assert all(each["CP"] == each["CP_similar"] for each in methods.values())


def test_ranked_candidates_are_as_many_as_asked_for(folder: Path) -> None:
    assert [len(case.candidates) for case in taken(folder, "ranked:4")] == [4, 4]


def test_an_expansion_adds_documents_and_leaves_only_the_valid_questions(folder: Path) -> None:
    expansion = folder.parent / "more"
    (expansion / "docs").mkdir(parents=True)
    (expansion / "docs" / "mill.txt").write_text(FILLER, encoding="utf-8")
    (expansion / "manifest.json").write_text('{"valid_question_ids": ["q1"]}', encoding="utf-8")
    plain, (only,) = taken(folder)[0], taken(folder, expansion=expansion)
    assert only.id == "q1"
    assert len(only.candidates) > len(plain.candidates)
    assert len(only.pairs["entity"]) == len(plain.pairs["entity"])


@pytest.mark.parametrize("name", ["best", "ranked", "ranked:0", "ranked:x"])
def test_unknown_candidates_are_refused(name: str, folder: Path) -> None:
    with pytest.raises(SettingsError, match="ranked:N"):
        choice(name)
    result = run(folder, "--candidates", name)
    assert result.exit_code == 1
    assert "error: " in result.output


def test_nothing_to_batch_is_said() -> None:
    with pytest.raises(SettingsError, match="nothing to batch"):
        compare_methods([], Limits(100))


def test_ratios_to_nothing_are_null(folder: Path) -> None:
    told = report(compare_methods(taken(folder), Limits(100_000)))
    methods = told["methods"]
    assert isinstance(methods, dict)
    ours = methods["ours"]
    assert isinstance(ours, dict)
    assert {"LC": 2, "CP": 0, "LC_ratio": 1.0, "CP_ratio": None}.items() <= ours.items()


@pytest.mark.skipif(not DATA.is_dir(), reason=f"the shared data is not at {DATA}")
def test_on_contracts_ours_takes_fewer_calls_and_parts_fewer_pairs(tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    file = DATA / "questions" / "cuad_dev.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines()[: len(load(file)) : 4]
    questions.write_text("\n".join(lines), encoding="utf-8")
    collection = Collection(name="c", questions=questions, documents=DATA / "cuad/dev")
    found = list(cases(collection, choice("ranked:300"), Corpora(tmp_path, lambda _: None)))
    calls, pairs = [], []
    for method in (METHODS["ours"], METHODS["kmeans"]):
        plans = [(case, method(case.candidates, Limits(6000))) for case in found]
        calls.append(sum(llm_calls(plan) for _, plan in plans))
        pairs.append(sum(candidate_pairs(plan, case.pairs["entity"]) for case, plan in plans))
    assert calls[0] <= 0.85 * calls[1]
    assert pairs[0] <= 0.60 * pairs[1]
