from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.evidence import Entity
from evals.experiment import Identity, Measured
from evals.names import DocumentNames
from evals.questions import Record
from evals.report import Board, Column, board_section, run_report
from evals.scores import (
    Match,
    Outcome,
    estimate,
    final_accuracy,
    is_exact,
    match,
    numbers_in,
    process_accuracy,
    score,
)
from evals.spans import GoldChunk
from tests.evals.question_files import answer_of, record_of

NAMES = DocumentNames(["x/a", "x/b", "x/c"])


def _documents(*names: str, **fields: Any) -> Record:
    return record_of(answer=names, answer_count=len(names), gold_documents=names, **fields)


def test_documents_are_compared_by_the_corpus_own_names() -> None:
    found = score(_documents("a", "b"), Outcome(answer=answer_of(["x/a", "x/c"])), NAMES, ())
    assert (found["precision"], found["recall"], found["f1"]) == (0.5, 0.5, 0.5)


def test_named_answers_are_compared_without_accents_and_by_alias() -> None:
    record = record_of(answer=["José Gil", "Ann Lee"], gold_documents=["a"])
    entities = (
        Entity(name="Jose Gil <j@example.org>", documents=("x/a",)),
        Entity(name="A. Lee", aliases=("Ann Lee",)),
        Entity(name="Bo"),
    )
    found = score(record, Outcome(answer=answer_of(entities=entities, value=3)), NAMES, ())
    assert found["precision"] == pytest.approx(2 / 3)
    assert found["recall"] == 1.0


def test_a_measured_number_has_no_count_error() -> None:
    found = score(record_of(answer_value=2.0), Outcome(answer=answer_of(value=3.0)), NAMES, ())
    assert (found["absolute_error"], found["exact"]) == (None, False)


@pytest.mark.parametrize(
    ("aggregation", "told"), [("count", (0.0, False)), ("list", (0.5, False)), ("", (0.5, False))]
)
def test_claims_are_the_number_or_the_names(aggregation: str, told: tuple[float, bool]) -> None:
    record = _documents("a", "b", aggregation=aggregation)
    found = score(record, Outcome(answer=answer_of(["x/a"])), NAMES, ())
    assert (found["answer_recall"], found["answer_right"]) == told


@pytest.mark.parametrize("status", ["error", "needs_clarification"])
def test_no_answer_counts_as_nothing_found(status: str) -> None:
    answer = None if status == "error" else answer_of(["x/a"], status=status)
    gold = [GoldChunk(0, (frozenset({0}),))]
    found = score(_documents("a"), Outcome(answer=answer, error="x"), NAMES, gold)
    zero = ("recall", "f1", "chunk_recall_filtered")
    wrong = dict.fromkeys(zero, 0) | {"absolute_error": 1, "normalised_error": 1, "exact": False}
    assert wrong | {"status": status, "value": None} == {
        name: found[name] for name in (*wrong, "status", "value")
    }


@pytest.mark.parametrize(
    ("bounds", "held"), [((1, 3), True), ((3, 3), False), (None, None)], ids=["in", "out", "none"]
)
def test_stated_bounds_are_checked(bounds: tuple[int, int] | None, held: bool | None) -> None:
    outcome = Outcome(answer=answer_of(bounds=bounds))
    assert score(_documents("a", "b"), outcome, NAMES, ())["bounds_held"] is held


def test_a_question_that_failed_is_told_with_its_error() -> None:
    scored = {**score(_documents("a"), Outcome(error="x"), NAMES, ())}
    failed = Measured(collection="c", arm="main", seed=0, score=scored, error="x", seconds=0.5)
    told: Any = run_report([failed], "gold")
    assert told["summary"]["errors"] == {"q1": "x"}
    assert told["questions"][0]["status"] == "error"


@pytest.mark.parametrize(
    ("predicted", "gold", "neutral", "expected"),
    [
        pytest.param("ab", "bc", "", Match(0.5, 0.5, 0.5), id="half right"),
        pytest.param("", "ab", "", Match(None, 0.0, 0.0), id="nothing predicted"),
        pytest.param("a", "", "", Match(0.0, None, 0.0), id="nothing is right"),
        pytest.param("", "", "", Match(1.0, 1.0, 1.0), id="rightly nothing"),
        pytest.param("abx", "ab", "x", Match(1.0, 1.0, 1.0), id="borderline predicted"),
        pytest.param("a", "ax", "x", Match(1.0, 1.0, 1.0), id="borderline gold not predicted"),
    ],
)
def test_match_compares_sets(predicted: str, gold: str, neutral: str, expected: Match) -> None:
    assert match(set(predicted), set(gold), set(neutral)) == expected


@pytest.mark.parametrize(
    ("value", "gold", "measured", "exact"),
    [
        pytest.param(1.72093, 1.7209, True, True, id="rounded truth"),
        pytest.param(1.73, 1.7209, True, False, id="another number"),
        pytest.param(10001, 10000, False, False, id="counts have no tolerance"),
        pytest.param(12.0, 12, False, True, id="count as float"),
        pytest.param(None, 0, False, False, id="no value is not zero"),
    ],
)
def test_exactness(value: float | None, gold: float, measured: bool, exact: bool) -> None:
    assert is_exact(value, gold, measured=measured) is exact


TEXTS = {"a": "Acme had sales of 1,200.00 in 2021.", "b": "Bolt had sales of 900 in 2021."}
FACTS = ["Company [Acme] had sales of $1,200 in 2021", "Company [Bolt] had sales of $900 in 2021"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("$1,944,165,000.00 in 2021", (1944165000.0, 2021.0)),
        ("a loss of -$958,000.00", (-958000.0,)),
        ("−0.40% and 4.79%", (-0.4, 4.79)),
        ("PEP484, v1.2.3 and 10,5x", ()),
    ],
    ids=["currency", "negative", "percent", "parts-of-words"],
)
def test_numbers_are_read_without_their_signs_and_separators(
    text: str, numbers: tuple[float, ...]
) -> None:
    assert numbers_in(text) == numbers


def test_a_fact_is_extracted_where_its_numbers_are_cells_of_the_document_that_states_them() -> None:
    cells = {"a": [1200.0, 2021.0], "b": [2021.0]}
    assert process_accuracy(FACTS, TEXTS, cells) == 0.5
    computed = f"{FACTS[0]}, 35.59% more than before"  # which no document states
    assert process_accuracy([computed], TEXTS, cells) == 1.0


FINAL = {
    "names-only": ("the most: [KE], [CURV]", (None, None), True),
    "fractions": ("[KE]: 78.64%\n[CURV]: 267.68%", (0.786444, 2.67676), True),
    "percent": ("[KE]: 78.64%\n[CURV]: 267.68%", (78.6444, 267.676), True),
    "another": ("[KE]: 78.64%\n[CURV]: 267.68%", (0.77, 2.67676), False),
    "rounded": ("[KE]: 0.8231\n[CURV]: 0.5500", (0.82, 0.55), True),
    "too-rounded": ("[KE]: 0.8231\n[CURV]: 0.5500", (0.8, 0.55), False),
    "money": ("[KE]: $1,239,000.00\n[CURV]: $7.00", (1239000, 7), True),
    "no-value": ("[KE]: 0.5871\n[CURV]: 7", (None, 7), False),
}


@pytest.mark.parametrize(("final", "values", "right"), FINAL.values(), ids=FINAL)
def test_a_final_answer_needs_the_items_and_their_values(
    final: str, values: tuple[Any, Any], right: bool
) -> None:
    entities = (Entity(name="Ke", value=values[0]), Entity(name="CURV", value=values[1]))
    answer = answer_of(entities=entities, value=2)
    asked = record_of(answer=["KE", "CURV"], gold_documents=["d"], final_answer=final)
    assert final_accuracy(asked, answer) is right


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_the_interval_is_deterministic_and_within_the_values(values: list[float]) -> None:
    found = estimate(values)
    assert found == estimate(values)
    assert (found.low or 0.0) <= (found.high or 0.0)
    for end in (found.low, found.value, found.high):
        assert min(values) - 1e-9 <= (end or 0.0) <= max(values) + 1e-9


def _column(reader: str, *by_seed: float) -> Column:
    """Return an arm whose f1 is the same for each of twelve questions."""
    base = dict.fromkeys(score(_documents("a"), Outcome(), NAMES, ())) | {"status": "answered"}
    answers = [
        Measured(
            collection="c", arm="", seed=seed, score=base | {"id": f"q{at}", "f1": f1}, seconds=1
        )
        for at in range(12)
        for seed, f1 in enumerate(by_seed)
    ]
    return Column(reader=reader, asked=len(answers), answers=tuple(answers))


def test_arms_are_compared_by_question_and_seed_with_the_first_of_their_reader() -> None:
    columns = {
        "ours": _column("gold", 1.0),
        "theirs": _column("gold", 0.5),
        "ours @ 2": _column("skill:0.1", 0.5, 1.0),
        "theirs @ 2": _column("skill:0.1", 0.5, 1.0),
    }
    asked = {"name": "c", "questions": "", "expansion": None, "sample": None, "seed": 0}
    who = Identity.model_validate(asked | {"available": 12, "ids": [f"q{at}" for at in range(12)]})
    *_, told = board_section(Board(collection=who, columns=columns)).split("each arm minus ours")
    rows = [line.split("|") for line in told.splitlines() if "| " in line][1:]
    assert [(row[1].strip(), row[4].strip(), row[-2].strip()) for row in rows] == [
        ("theirs minus ours", "-0.500 [-0.500, -0.500]", "f1"),
        ("ours @ 2 minus ours", "-0.250 [-0.354, -0.146]", "f1"),
        ("theirs @ 2 minus ours @ 2", "+0.000 [+0.000, +0.000]", "none"),
    ]
