"""Documents that lack a field, and places that are counted: what is not known widens the bounds."""

import re
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from agent.interpretation import parse_logic
from agent.question import Condition, Interpretation, Predicate
from evals.ablation import Ablation
from graphs.context import Context
from graphs.search.condition_evaluator import lacking
from tests.built import built_once
from tests.graphs.replies import atom, interpreted, measured
from tests.graphs.searching import (
    Case,
    answer_of,
    bounds_of,
    corpus_of,
    count_of,
    holding,
    in_town,
    letters_once,
    ran,
)
from tools.corpus.corpus import Corpus

KNOWN = {
    "bridge": ("Span", "exists", ()),
    "listed": ("Listed", "is", ("yes",)),
    "recent": ("Opened", "at_least", ("1990",)),
    "unopened": ("Opened", "exists", ()),
    "letters": ("file folder", "is", ("letters",)),
}
CONDITIONS = {
    name: Condition(
        id=name, text=name, predicate=Predicate(field=field, comparison=how, values=values)
    )
    for name, (field, how, values) in KNOWN.items()
} | {"rusty": Condition(id="rusty", text="is rusty")}


PAPERS = {
    "bridge-1": "Span: 12 m\nListed: yes\nOpened: 1950\n\nA bridge of stone.",
    "bridge-2": "Span: 15 m\nOpened: 1999\n\nA bridge of steel.",
    "bridge-3": "Span: 19 m\nListed: no\n\nA bridge of wood.",
    "letter-1": "From: A. Reed\nTo: The council\n\nI write about the bridge.",
    "letter-2": "From: B. Moss\nTo: The council\n\nI write about the other bridge.",
}
papers = built_once(partial(corpus_of, PAPERS))


@pytest.mark.parametrize(
    ("logic", "expected"),
    [
        ("listed", {"Listed": 1}),
        ("not listed", {"Listed": 1}),
        ("bridge and listed and recent", {"Listed": 1}),
        ("bridge and not unopened", {}),
        ("bridge and rusty", {}),
        ("bridge and (listed or rusty)", {"Listed": 1}),
        ("letters and listed", {}),
        ("listed or recent", {"Listed": 0, "Opened": 1}),
    ],
)
def test_documents_without_a_field_are_counted_where_it_could_decide_them(
    logic: str, expected: dict[str, int], papers: Corpus
) -> None:
    words = logic.replace("(", " ").replace(")", " ").split()
    used = {name: each for name, each in CONDITIONS.items() if name in words}
    node = parse_logic(logic, used)
    reading = Interpretation(text="?", entity_type="bridge", conditions=node)
    assert lacking(reading, Context(corpus=papers)) == {k: v for k, v in expected.items() if v}


ALL = Ablation(few_candidates=10_000, feedback=False, audit=0, batch_tokens=80)
"""One passage a request, so that a broken request loses one."""
KETTLE = atom("c1", text="mentions kettle", terms=["kettle"])


def places(*conditions: str) -> dict[str, Any]:
    told = measured("mentions", unit="mentions", places=[*conditions])
    return {"operation": "sum", "measure": told}


corpus = letters_once(6)


def spans(corpus: Corpus, word: str) -> list[tuple[str, int]]:
    return [
        (name, found.start())
        for number, name in enumerate(corpus.documents)
        for found in re.finditer(rf"\b{word}s?\b", corpus.document_text(number))
    ]


def mentioned(corpus: Corpus, **told: Any) -> Case:
    reading = interpreted("c1", KETTLE, **places("c1"))
    return Case(relevant={"c1": holding(corpus, "kettle")}, reading=reading, **told)


def test_places_are_counted_in_documents_that_a_field_has_decided_too(corpus: Corpus):
    reading = interpreted("c1 or c3", KETTLE, in_town("c3", "York"), **places("c1"))
    case = Case(relevant={"c1": holding(corpus, "kettle")}, reading=reading)
    assert count_of(ran(corpus, case, ALL)) == len(spans(corpus, "kettle"))


def test_every_mention_counts_once_and_is_quoted_in_passages_that_overlap(corpus: Corpus):
    state = ran(corpus, mentioned(corpus), ALL)
    every = spans(corpus, "kettle")
    within = sum(len(re.findall("kettle", corpus.chunk_text(at))) for at in range(len(corpus)))
    assert within > len(every)
    assert count_of(state) == len(every)
    assert bounds_of(state) == (len(every), len(every))
    quoted = [
        (one.document, at.start() + one.start)
        for entity in answer_of(state).entities
        for one in entity.evidence
        for at in re.finditer("kettle", one.quote)
    ]
    assert sorted(quoted) == sorted(every)
    for entity in answer_of(state).entities:
        assert entity.value == len(entity.evidence)


def test_a_passage_without_a_verdict_could_hold_what_stands_in_it(corpus: Corpus):
    every = spans(corpus, "kettle")
    lost = max(holding(corpus, "kettle"))
    state = ran(corpus, mentioned(corpus, broken=frozenset({lost})), ALL)
    low, high = bounds_of(state)
    assert low == count_of(state) < len(every) == high


def test_a_borderline_mention_counts_and_does_not_hold_the_lower_bound(corpus: Corpus):
    whole = holding(corpus, "kettle")
    state = ran(corpus, mentioned(corpus, borderline=whole), ALL)
    assert (count_of(state), *bounds_of(state)) == (high := len(spans(corpus, "kettle")), 0, high)


def test_of_a_meaning_each_quoted_place_counts_and_unread_passages_as_many_at_once(corpus: Corpus):
    reading = interpreted("c1", atom("c1"), **places("c1"))
    told = frozenset({2, 5, 9})
    case = Case(relevant={"c1": told}, reading=reading)
    assert count_of(ran(corpus, case, ALL)) == len(told)
    state = ran(corpus, replace(case, broken=frozenset({30, 31})), ALL)
    assert bounds_of(state) == (len(told), len(told) + 2)


def test_nothing_mentioned_is_no_time_at_all(corpus: Corpus):
    nowhere = atom("c1", text="mentions walrus", terms=["walrus"])
    reading = interpreted("c1", nowhere, **places("c1"))
    state = ran(corpus, Case(relevant={}, reading=reading), ALL)
    assert (count_of(state), bounds_of(state)) == (0, (0, 0))
