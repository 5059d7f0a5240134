from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.question_sets.condition_rules import (
    FieldRule,
    HeadingRule,
    Logic,
    MentionRule,
    Rule,
    Truths,
    YearRule,
    combined,
)
from evals.question_sets.source_documents import Source

HEADER = "Title: A\nStatus: Final\nAuthor: Ann Lee, Bob Ray\nCreated: 12-May-2014\n\nThe body.\n"


@pytest.mark.parametrize(
    ("term", "text", "places", "borderline"),
    [
        ("mypy", "We use mypy, not flake8.", ["mypy"], False),
        ("mypy", "Mypy's rules and (mypy).", ["Mypy", "mypy"], False),
        ("mypy", "See https://mypy.example or mypy_plugin.", [], True),
        ("mypy", "Nothing of it.", [], False),
        ("type checker", "A type\nchecker runs.", ["type\nchecker"], False),
        ("type checker", "A type\n\nchecker runs.", [], True),
        ("type checker", "The type-checker and type checkers.", [], True),
        ("Recipient", "The Recipient pays. RECIPIENT:", ["Recipient", "RECIPIENT"], False),
        ("Recipient", "Any recipient pays.", [], True),
        ("C", "C++ and Cython.", [], True),
        ("licence", "It was licenced.", [], True),
    ],
)
def test_a_mention_is_a_word_of_its_own(
    term: str, text: str, places: list[str], borderline: bool
) -> None:
    source, rule = Source("a", text), MentionRule(term=term)
    assert [text[start:end] for start, end in rule.places(source)] == places
    assert rule.is_borderline(source) is borderline


@pytest.mark.parametrize(
    ("text", "places", "borderline"),
    [
        ("Open Issues\n===========\n\nNone.\n", ["Open Issues"], False),
        ("Intro.\n\n## 4. Open issues\n\nNone.\n", ["## 4. Open issues"], False),
        ("# Open Issues and Questions\n\nNone.\n", [], True),
        ("Some words.\nOpen issues:\nmore of them.\n", [], True),
        ("There are open issues in it.\n", [], False),
        ("# Closed Issues\n\nNone.\n", [], False),
    ],
)
def test_a_heading_is_decided_without_number_and_case(
    text: str, places: list[str], borderline: bool
) -> None:
    source, rule = Source("a", text), HeadingRule(title="Open Issues")
    assert [text[start:end] for start, end in rule.places(source)] == places
    assert rule.is_borderline(source) is borderline


@pytest.mark.parametrize(
    ("rule", "places", "borderline"),
    [
        (FieldRule(field="Status", value="final"), ["Status: Final"], False),
        (FieldRule(field="status", value="Draft"), [], False),
        (FieldRule(field="Author", value="Bob Ray"), ["Author: Ann Lee, Bob Ray"], False),
        (FieldRule(field="Author", value="Robert Ray"), [], True),
        (FieldRule(field="Author", value="Ann"), [], True),
        (FieldRule(field="Sponsor", value="Bob Ray"), [], False),
        (YearRule(field="Created", comparison="since", year=2014), ["Created: 12-May-2014"], False),
        (YearRule(field="Created", comparison="before", year=2014), [], False),
        (
            YearRule(field="Created", comparison="before", year=2015),
            ["Created: 12-May-2014"],
            False,
        ),
        (YearRule(field="Status", comparison="since", year=2014), [], True),
    ],
)
def test_a_field_is_decided_by_its_value(rule: Rule, places: list[str], borderline: bool) -> None:
    source = Source("a", HEADER)
    assert [HEADER[start:end] for start, end in rule.places(source)] == places
    assert rule.is_borderline(source) is borderline


DOCUMENTS = "abc"
TRUTH = st.fixed_dictionaries({each: st.sampled_from(["yes", "no", "maybe"]) for each in DOCUMENTS})
LOGIC: st.SearchStrategy[Logic] = st.sampled_from(["AND", "OR"])


@given(st.lists(TRUTH, min_size=1, max_size=3), LOGIC)
def test_a_document_is_borderline_where_the_borderline_conditions_decide(
    parts: list[dict[str, str]], logic: Logic
) -> None:
    told = [
        Truths(
            frozenset(each for each in DOCUMENTS if part[each] == "yes"),
            frozenset(each for each in DOCUMENTS if part[each] == "maybe"),
        )
        for part in parts
    ]
    whole = combined(logic, told)
    join = all if logic == "AND" else any
    for each in DOCUMENTS:
        ways = product(
            *([True, False] if part[each] == "maybe" else [part[each] == "yes"] for part in parts)
        )
        outcomes = {join(way) for way in ways}
        assert (each in whole.satisfied) == (outcomes == {True})
        assert (each in whole.borderline) == (len(outcomes) == 2)
