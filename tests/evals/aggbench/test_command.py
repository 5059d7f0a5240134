import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from evals.commands import app
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


def test_an_added_document_that_satisfies_a_condition_is_left_out(benchmark: Path) -> None:
    recipe = json.loads((benchmark / "recipe.json").read_text("utf-8"))["expansion"]
    assert recipe["leaking"] == {"added/stranger-9": ["mention: Osprey"]}
    added = {path.stem for path in (benchmark / "expanded" / "added").iterdir()}
    assert added == {path.removeprefix("added/") for path in recipe["added"]}
    assert len(added) == 23
    osprey = record_of(benchmark, "mention “Osprey”", "expanded")
    assert osprey.answer == record_of(benchmark, "mention “Osprey”").answer


def test_composites_need_all_their_conditions(benchmark: Path) -> None:
    records = load(benchmark / "core.jsonl")
    singles = {each.conditions[0].label: set(each.answer or ()) for each in records
               if each.logic == "single"}  # fmt: skip
    joined = [each for each in records if each.logic != "single"]
    assert {each.logic for each in joined} == {"AND", "OR"}
    for each in joined:
        parts = [singles[part.label] for part in each.conditions]
        whole = set.intersection(*parts) if each.logic == "AND" else set.union(*parts)
        assert set(each.answer or ()) == whole
        assert whole
        assert all(part != whole for part in parts)


def test_the_figures_are_those_of_the_files(benchmark: Path) -> None:
    told = json.loads((benchmark / "statistics.json").read_text("utf-8"))
    records = load(benchmark / "core.jsonl")
    assert told["core"]["documents"] == 20
    assert told["expanded"]["documents"] == 43
    assert told["core"]["queries"] == len(records)
    assert sum(told["core"]["by_logic"].values()) == len(records)
    sizes = [len(each.answer or ()) for each in records]
    assert told["core"]["answers_over_5"] == sum(size > 5 for size in sizes)
    assert 0 < told["expanded"]["evidence_density"] < told["core"]["evidence_density"] <= 1


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("{core}", "--fewest", "19", "--most-share", "0.01"), "yield no condition"),
        (("{core}", "--expand", "{core}", "--band", "-3", "-2"), "no document of the expansion"),
        (("{core}", "--expand", "{core}", "--band", "5", "2"), "the band ends"),
        (("nowhere",), "is not a folder"),
    ],
)
def test_what_cannot_be_built_is_told_in_a_line(
    core: Path, tmp_path: Path, more: tuple[str, ...], told: str
) -> None:
    given = [each.format(core=core) for each in more]
    result = built(*given, "--into", str(tmp_path / "made"))
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].startswith("error: ")
    assert told in result.stderr
