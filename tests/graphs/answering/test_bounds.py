"""An answer's bounds hold what a full reading would say, whatever was found, lost or cut off."""

import random
import re
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.errors import LimitReached
from agent.evidence import Entity
from agent.policy import Policy
from agent.question import Condition, Interpretation, Not, Predicate
from agent.state import State
from evals.ablation import Ablation
from graphs.answering.bounds import Proof, value_bounds
from graphs.answering.matches import Matches
from graphs.search.condition_evaluator import counted_as
from tests.built import built_once
from tests.graphs.replies import atom, interpreted, measured
from tests.graphs.searching import (
    LOOP,
    NAMES,
    WORDS,
    Case,
    adds_up,
    answer_of,
    bounds_of,
    corpus_of,
    count_of,
    in_town,
    letters,
    letters_once,
    purposes,
    ran,
    reasoner_for,
)
from tools.audit import bound
from tools.computation import Quantity, compute
from tools.corpus.corpus import Corpus

CHUNKS = 96
LOGIC = (
    *("c1", "not c1", "c1 and c2", "c1 or c2", "c1 and not c2", "c1 or not c2"),
    *("not (c1 and c2)", "not (c1 or c2)"),
)
ALL = Ablation(few_candidates=10_000, feedback=False, audit=0)
SEEDS = 56
BATCHED = LOOP.model_copy(update={"batch_tokens": 2000})


def written(name: str, text: str) -> str:
    """Return a letter with three writers of its own."""
    writers = ", ".join(f"{each} {name[-2:]}" for each in ("Ash", "Birch", "Cedar"))
    return text.replace("Town: ", f"Writers: {writers}\nTown: ")


corpus = built_once(partial(corpus_of, {at: written(at, text) for at, text in letters().items()}))
larger = letters_once(24, 45)


def chunks(most: int = CHUNKS) -> st.SearchStrategy[frozenset[int]]:
    return st.frozensets(st.integers(0, CHUNKS - 1), max_size=most)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draw what is relevant, what is asked, what the filter looks for and what goes wrong."""
    return Case(
        relevant={"c1": draw(chunks()), "c2": draw(chunks(3) | chunks(20))},
        reading=interpreted(draw(st.sampled_from(LOGIC))),
        words=draw(st.lists(st.sampled_from(WORDS), max_size=4, unique=True).map(tuple)),
        broken=draw(chunks(3)),
        borderline=draw(chunks()),
        requests=draw(st.sampled_from([10_000, 10_000, 10_000, 0, 2, 5])),
    )


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    """Draw how the run goes about it."""
    return Ablation(
        scan=False,
        few_candidates=draw(st.sampled_from([0, 20])),
        feedback=draw(st.booleans()),
        audit=draw(st.sampled_from([0, 1, 7, 20, None])),
        max_audits=draw(st.integers(0, 3)),
        batch_tokens=draw(st.sampled_from([1000, 2000])),
        wave=draw(st.sampled_from([1, 3])),
        recall=draw(st.sampled_from([0.5, 0.95, 1.0])),
    )


def within(state: State, truth: int) -> bool:
    """Tell whether the bounds hold the truth."""
    low, high = bounds_of(state)
    return low <= truth <= high


def certain(state: State) -> bool:
    """Tell whether nothing was inferred from a sample."""
    told = answer_of(state).completeness
    return told.confidence == 1.0 or not told.audited


@pytest.mark.slow
@settings(max_examples=45)
@given(case=cases(), policy=policies(), paid=st.booleans())
def test_every_search_ends_adds_up_and_is_bounded_truly(
    corpus: Corpus, case: Case, policy: Policy, paid: bool
) -> None:
    state = ran(corpus, case, policy, reasoner=reasoner_for(corpus, case, paid=paid))
    assert adds_up(state)
    assert within(state, count_of(state))
    assert within(state, len(case.matching(corpus))) or not certain(state)
    assert sum(each.size for each in state.rounds) <= len(corpus)
    assert len(state.audits) <= policy.max_audits
    assert ("audit", "audit") not in pairwise(purposes(state)) or not policy.feedback
    assert [step.round for step in state.history] == list(range(1, len(state.history) + 1))


def drawn(corpus: Corpus, seed: int) -> State:
    """Run a search that overlooks much, and say whether its bounds hold."""
    chance = random.Random(seed)
    everything = range(len(corpus))
    case = Case(
        relevant={
            "c1": frozenset(chance.sample(everything, chance.choice([2, 5, 10, 30]))),
            "c2": frozenset(chance.sample(everything, chance.choice([2, 5, 60]))),
        },
        reading=interpreted(LOGIC[seed % len(LOGIC)]),
        words=tuple(chance.sample(WORDS, 2)),
    )
    policy = BATCHED.model_copy(
        update={
            "feedback": chance.random() < 0.4,
            "audit": chance.choice([15, 20, 30]),
            "recall": chance.choice([0.7, 0.95]),
        }
    )
    state = ran(corpus, case, policy, question=f"How many, {seed}?")
    return replace(state, warnings=() if within(state, len(case.matching(corpus))) else ("lost",))


@pytest.mark.slow
def test_inferred_bounds_hold_in_at_least_95_of_100_runs(larger: Corpus) -> None:
    states = [drawn(larger, seed) for seed in range(SEEDS)]
    inferred = [each for each in states if not certain(each)]
    assert len(inferred) > SEEDS / 3
    assert not any(each.warnings for each in states if certain(each))
    assert sum(not each.warnings for each in inferred) >= 0.95 * len(inferred)
    assert any(answer_of(each).completeness.audit_hits for each in inferred)


@pytest.mark.parametrize("policy", [ALL, BATCHED], ids=["everything", "feedback and audits"])
def test_what_is_borderline_does_not_hold_the_lower_bound(policy: Policy, corpus: Corpus) -> None:
    sure, doubtful = frozenset(range(0, 24, 4)), frozenset(range(40, 56, 4))
    case = Case(relevant={"c1": sure | doubtful}, borderline=doubtful)
    state = ran(corpus, case, policy)
    assert bounds_of(state)[0] == len(replace(case, relevant={"c1": sure}).matching(corpus))
    assert within(state, len(case.matching(corpus)))


def test_what_counts_by_borderline_evidence_is_named_and_nothing_else(corpus: Corpus) -> None:
    sure, partly, out = ([*corpus.chunks_of(number)][:2] for number in (3, 8, 11))
    case = Case(
        relevant={
            "c1": frozenset({sure[0], partly[0], out[0]}),
            "c2": frozenset({sure[1], partly[1]}),
        },
        reading=interpreted("c1 and c2"),
        borderline=frozenset({partly[1], out[0]}),
    )
    answer = answer_of(ran(corpus, case, ALL))
    assert (answer.value, answer.bounds) == (2, (1, 2))
    people = names(corpus, *NAMES[:4], borderline=frozenset({0}))
    of_names = answer_of(ran(corpus, people, ALL))
    for each, name in ((answer, corpus.documents[8]), (of_names, NAMES[0])):
        told = [warning for warning in each.warnings if "borderline" in warning]
        assert told == [f"1 rests on borderline evidence, check first: {name}"]


def names(corpus: Corpus, *told: str, **more: Any) -> Case:
    """Return a case of one name a chunk, in chunks far from one another."""
    places = range(0, CHUNKS, CHUNKS // len(told))
    named = dict(zip(places, told, strict=False))
    return Case(
        relevant={"c1": frozenset(named)},
        reading=interpreted("c1", grain="entity", entity_type="person"),
        named=lambda chunk: [named[chunk]],
        **more,
    )


def test_names_are_counted_over_all_that_was_read_and_widen_the_bounds_if_two_may_be_one(
    corpus: Corpus,
) -> None:
    answer = answer_of(ran(corpus, names(corpus, *NAMES[:8], *NAMES[:4]), ALL))
    assert (answer.value, answer.bounds) == (8, (8, 8))
    answer = answer_of(ran(corpus, names(corpus, "J. Ashgrove", "Jane Ashgrove", "Osgood"), ALL))
    assert (answer.value, answer.bounds) == (3, (2, 3))
    assert any("may be one" in each for each in answer.warnings)


ASSUMED = "assume that no unread passage names more things than the one read that names most"


def naming(corpus: Corpus, first: int, other: int) -> Case:
    """Return a case of two passages that name so many things; the other cannot be read."""
    return replace(
        names(corpus, *NAMES[:2]),
        named=lambda chunk: list(NAMES[first : first + other] if chunk else NAMES[:first]),
        broken=frozenset({CHUNKS // 2}),
    )


def test_the_recall_of_names_is_of_passages_and_their_bounds_state_what_they_assume(
    corpus: Corpus,
) -> None:
    state = ran(corpus, naming(corpus, 1, 5), ALL.model_copy(update={"batch_tokens": 1}))
    told = answer_of(state).completeness
    assert (told.recall_lower_bound, told.confidence) == (0.5, 1.0)
    assert "at most 1 relevant passage missing" in told.method
    assert "exact and of passages, not of things" in told.method
    assert ASSUMED in told.method
    assert not within(state, 6)
    as_many = ran(corpus, naming(corpus, 5, 5), ALL.model_copy(update={"batch_tokens": 1}))
    assert within(as_many, 10)


WRITERS = {"entity_field": "Writers", "entity_type": "writer"}
"""Each letter has three, its own."""


@pytest.mark.parametrize(
    ("logic", "told", "expected"),
    [
        ("c1", {"broken": frozenset({50})}, (3, 6)),
        ("not c1", {"broken": frozenset({50})}, (30, 33)),
        ("c1", {"borderline": frozenset({50})}, (3, 6)),
    ],
    ids=["open", "open and denied", "borderline"],
)
def test_items_of_an_open_document_are_as_many_as_it_has(
    logic: str, told: dict[str, Any], expected: tuple[int, int], corpus: Corpus
) -> None:
    case = Case(relevant={"c1": frozenset({0, 50})}, reading=interpreted(logic, **WRITERS), **told)
    answer = answer_of(ran(corpus, case, ALL.model_copy(update={"batch_tokens": 1})))
    assert answer.bounds == expected


@pytest.mark.parametrize(
    ("policy", "bounds"),
    [(ALL, (6.0, 6.0)), (BATCHED.model_copy(update={"audit": 0, "feedback": False}), None)],
    ids=["all read", "some unread"],
)
def test_a_sum_is_bounded_only_where_all_was_read(
    policy: Policy, bounds: tuple[float, float] | None, corpus: Corpus
) -> None:
    told = {"operation": "sum", "measure": measured("price")}
    found = frozenset({0, 32, 64})
    case = Case(
        relevant={"c1": found, "measure": found},
        reading=interpreted("c1", **told),
        words=("apple",),
        value=2.0,
    )
    answer = answer_of(ran(corpus, case, policy))
    assert answer.bounds == bounds
    assert bounds is None or answer.value == 6.0


@pytest.mark.parametrize(("numbers", "bounds"), [([2, 2], (2, 2)), ([2, 3], None)])
def test_a_sum_has_no_bounds_where_a_document_states_several_numbers(
    numbers: list[int], bounds: tuple[float, float] | None
) -> None:
    reading = Interpretation(text="?", entity_type="letter", operation="sum")
    told = {"a": [Quantity(each) for each in numbers]}
    item = Entity(name="a", documents=("a",))
    found = Matches(entities=(item,), bounds=(1, 1), found=(1, 1), values=told)
    all_read = Proof(
        chunks=bound((), found=1, unread=0), documents=None, focused=False, looks=(),
        named=False, places=False, audited=0, settled=0,
    )  # fmt: skip
    assert value_bounds(reading, found, compute("sum", ["a"], told), all_read) == bounds


@pytest.mark.parametrize("operation", ["group_by", "count", "list"])
def test_numbers_by_group_have_no_bounds(operation: str, corpus: Corpus) -> None:
    told = {"operation": operation, "group_by": "Town"}
    case = Case(relevant={"c1": frozenset({0, 32, 64})}, reading=interpreted("c1", **told))
    answer = answer_of(ran(corpus, case, ALL))
    assert answer.bounds is None
    assert isinstance(answer.value, dict)


def limits_noted(state: State) -> list[str]:
    told = answer_of(state).warnings
    return [each for each in told if each.startswith("the search ended early")]


def test_a_limit_says_what_was_not_read_and_nothing_of_what_was(corpus: Corpus) -> None:
    case = Case(relevant={"c1": frozenset(range(0, CHUNKS, 5))})
    (early,) = limits_noted(ran(corpus, replace(case, requests=1), BATCHED))
    assert early.endswith("were not read")
    assert not re.search(r"\b0 ", early)

    people = names(corpus, "J. Ashgrove", "Jane Ashgrove")
    reader = reasoner_for(corpus, people)
    reader._lines["align"] = [LimitReached("calls")]
    (late,) = limits_noted(ran(corpus, people, ALL, reasoner=reader))
    assert late.endswith("nothing that was chosen was left unread")


def test_documents_without_a_deciding_field_count_as_not_stating_it() -> None:
    red = Predicate(field="Colour", comparison="is", values=("red",))
    asked = Condition(id="c1", text="is red", predicate=red)
    reading = Interpretation(text="?", entity_type="letter", conditions=asked)
    denied = reading.model_copy(update={"conditions": Not(part=asked)})
    assert counted_as("Colour", 2, reading) == "count as not matching"
    assert counted_as("Colour", 1, denied) == "counts as matching, since it is denied"


LEASE = "Tenant: {name}\nRooms: 2\n{rent}\nThe house.\n"
RENTS = {"lease-1": "Rent: 900", "lease-2": "Rent: 400", "lease-3": "Deposit: 100",
         "lease-4": "Rent: by letter"}  # fmt: skip
MANY = RENTS | {f"lease-{number}": "Deposit: 100" for number in range(5, 8)}


def rented(asked: str, comparison: str, rents: dict[str, str], place: Path, *read: int) -> State:
    """Run a question of rents over leases and a letter; c1 holds of the texts of `read`, too."""
    texts = {name: LEASE.format(name=name, rent=rent) for name, rent in rents.items()}
    corpus = corpus_of(texts | {"letter": "From: Ann\nTo: Ben\nAbout: rain\n\nHi.\n"}, place)
    limit = {"comparison": comparison, "values": ["500"][: comparison != "exists"]}
    atoms_ = [{**in_town("c1", ""), "field": "Rent", **limit}, atom("c2")][: 1 + ("c2" in asked)]
    relevant = {"c1": frozenset(read), "c2": frozenset({0})}
    return ran(corpus, Case(relevant=relevant, reading=interpreted(asked, *atoms_)))


def test_a_number_that_several_units_decide_has_no_bounds(tmp_path: Path) -> None:
    weights = {"lease-1": "Rent: 900 kg", "lease-2": "Rent: 400 kg", "lease-3": "Rent: 700 g"}
    state = rented("c1", "more_than", weights, tmp_path)
    answer = answer_of(state)
    assert (answer.value, answer.bounds) == (2, None)
    assert "in several units (kg, g)" in answer.completeness.method


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "comparison", "value", "bounds"),
    [
        ("c1", "more_than", 1, (1, 6)),
        ("c1", "less_than", 1, (1, 6)),
        ("c1", "exists", 3, (3, 3)),
        ("c1 and c2", "more_than", 1, (1, 6)),
    ],
)
def test_a_field_that_many_like_documents_lack_widens_the_bounds(
    asked: str, comparison: str, value: int, bounds: tuple[int, int], tmp_path: Path
) -> None:
    state = rented(asked, comparison, MANY, tmp_path)
    assert (answer_of(state).value, bounds_of(state)) == (value, bounds)


@pytest.mark.slow
@pytest.mark.parametrize(("read", "value"), [((), 1), ((2,), 2), ((2, 3), 3)])
@pytest.mark.parametrize("asked", ["c1", "not c1"])
def test_the_few_documents_that_lack_a_field_are_read_for_it(
    asked: str, read: tuple[int, ...], value: int, tmp_path: Path
) -> None:
    state = rented(asked, "more_than", RENTS, tmp_path, *read)
    answer = answer_of(state)
    held = value if asked == "c1" else len(RENTS) + 1 - value
    assert (answer.value, bounds_of(state)) == (held, (held, held))
    assert answer.coverage.judged == len(RENTS)
    assert "2 documents without 'Rent': read for what the text says of it" in answer.warnings


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "value"), [("c1 or c2 or c3", 3), ("not (c1 or c2 or c3)", 6)])
@pytest.mark.parametrize("both", [False, True], ids=["one name each", "two names in one"])
def test_a_document_that_states_a_field_under_another_name_does_not_lack_it(
    asked: str, value: int, both: bool, tmp_path: Path
) -> None:
    names = ("State", "Outcome", "Status")
    told = [f"{names[at % 3]}: {'held' if at < 3 else 'released'}" for at in range(9)]
    if both:
        told[0] = f"Outcome: released\n{told[0]}"
    slips = {f"slip-{at}": LEASE.format(name=at, rent=each) for at, each in enumerate(told)}
    tests = [
        {**in_town(f"c{at}", ""), "field": name, "comparison": "is", "values": ["held"]}
        for at, name in enumerate(names, start=1)
    ]
    case = Case(relevant={}, reading=interpreted(asked, *tests))
    answer = answer_of(ran(corpus_of(slips, tmp_path), case))
    assert (answer.value, answer.bounds == (value, value)) == (value, not both)
    one = "'Outcome', 'State', 'Status' are taken for one field: no document states two of them"
    assert (one in answer.warnings) is not both
