from pathlib import Path

import pytest

from evals.question_sets.aggbench import Query, expand, lasting, worded
from evals.question_sets.mining import (
    FieldRule,
    HeadingRule,
    Logic,
    MentionRule,
    Rule,
    Support,
    Truths,
    annotate,
    by_rule,
)
from evals.question_sets.source_documents import Source
from evals.questions import Record, load
from tests.built import write
from tests.evals.question_files import evaluate

A, B = (MentionRule(term=each) for each in "AB")
DOGS, CATS = HeadingRule(title="Dogs"), HeadingRule(title="Cats")
STATUS = FieldRule(field="Lease-Status", value="Open")
BIRD, TOOL = (by_rule(MentionRule(term=each)) for each in ("bird", "tool"))


@pytest.fixture
def benchmark(core: Path, others: Path, tmp_path: Path) -> Path:
    into = tmp_path / "made"
    drawn = ("--expand", others, "--singles", 12, "--composites", 8)
    result = evaluate("build aggbench", core, "--into", into, *drawn)
    assert result.exit_code == 0, result.output
    return into


def record_of(into: Path, question: str, corpus: str = "core") -> Record:
    return next(each for each in load(into / f"{corpus}.jsonl") if question in each.question)


def test_answers_are_those_of_the_documents_and_evidence_is_their_own_text(benchmark: Path) -> None:
    closed = record_of(benchmark, "have the status “Withdrawn”")
    assert closed.answer == tuple(f"report-{number:02}" for number in range(3, 20, 4))
    risks = record_of(benchmark, "headed “Known Risks”")
    assert risks.answer == ("report-01", "report-07", "report-13", "report-19")
    osprey = record_of(benchmark, "mention “Osprey”")
    assert osprey.answer == ("report-00", "report-05", "report-10", "report-15")
    for corpus in ("core", "expanded"):
        for record in load(benchmark / f"{corpus}.jsonl"):
            assert record.gold_evidence
            for each in record.gold_evidence:
                text = (benchmark / corpus / f"{each.document}.txt").read_text("utf-8")
                assert text[each.start : each.end] == each.text
                assert each.condition in {one.label for one in record.conditions}


def test_an_added_document_that_satisfies_a_condition_is_left_out(benchmark: Path) -> None:
    added = {path.stem for path in (benchmark / "expanded" / "added").iterdir()}
    assert added
    assert "stranger-9" not in added
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


@pytest.mark.parametrize(
    ("folder", "said"), [("alike", "yield no condition"), ("nowhere", "is not a folder")]
)
def test_what_cannot_be_built_is_told_in_a_line(tmp_path: Path, folder: str, said: str) -> None:
    write(tmp_path / "alike", {f"{each}.txt": "The same in all." for each in "abcdef"})
    result = evaluate("build aggbench", tmp_path / folder, "--into", tmp_path / "made")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].startswith("error: ")
    assert said in result.stderr


@pytest.mark.parametrize(
    ("rules", "logic", "text"),
    [
        ([A, B], "AND", "How many documents mention “A” and “B”?"),
        ([A, STATUS], "AND", "How many documents mention “A” and have the lease status “Open”?"),
        ([DOGS, CATS], "OR", "How many documents have a section headed “Dogs” or “Cats”?"),
        (
            [DOGS, CATS],
            "AND",
            "How many documents have a section headed “Dogs” and have a section headed “Cats”?",
        ),
    ],
)
def test_a_question_says_its_conditions(rules: list[Rule], logic: Logic, text: str) -> None:
    parts = tuple(Support(by_rule(each), {}) for each in rules)
    query = Query(parts, logic, Truths(frozenset("x")))
    assert worded(query, "count") == text
    assert worded(query, "list") == "Find all documents that" + text[18:-1] + "."


def test_a_generic_condition_drops_its_questions_and_what_satisfies_another_leaks() -> None:
    texts = ["A bird."] * 10 + ["A tool."] + ["-"] * 29
    strangers = [Source(f"s{number:02}", text) for number, text in enumerate(texts)]
    bird, tool = (annotate(each, strangers) for each in (BIRD, TOOL))
    added, generic = expand(strangers, [bird, tool])
    assert generic == {BIRD.label}
    assert [each for each in strangers if each not in added] == [strangers[10]]
    asked = {1: (bird,), 2: (tool,), 3: (bird, tool)}
    queries = {at: Query(parts, "OR", bird.truths) for at, parts in asked.items()}
    assert set(lasting(queries, generic)) == {2}
