import pytest

from evals.question_sets import mining
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
    combined,
    field_candidates,
    is_clear,
    term_candidates,
    unlike,
)
from evals.question_sets.source_documents import Source

STATUSES = ("Draft", "Final", "Final", "Final", "Final", "Final")
PAPERS = [
    Source(
        f"p{number}",
        f"Title: Paper {number}\nStatus: {STATUSES[number % 6]}\nCreated: {2001 + number}-04-05\n"
        f"Link: https://example.org/{number % 6}\n\n"
        f"# {'1. Aims' if number % 4 else 'AIMS:'}\n\nWords.\n\n# Only here {number}\n\nMore.\n",
    )
    for number in range(12)
]


@pytest.fixture(autouse=True)
def halves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two documents, and half of them all, satisfy a condition."""
    monkeypatch.setattr(mining, "_FEWEST", 2)
    monkeypatch.setattr(mining, "_MOST_SHARE", 0.5)


def test_values_that_are_neither_rare_nor_common_nor_addresses_are_candidates() -> None:
    values = [each.rule for each in field_candidates(PAPERS)]
    assert values == [FieldRule(field="Status", value="Draft")]


def support(satisfied: str, borderline: str = "") -> Support:
    rule = MentionRule(term=f"t{satisfied}")
    return Support(by_rule(rule), {each: [(0, 1)] for each in satisfied}, frozenset(borderline))


def test_a_condition_often_borderline_or_rare_or_common_is_not_clear() -> None:
    assert is_clear(support("abcd", "x").truths, 10)
    for unclear in (support("abcd", "xy"), support("a"), support("abcdef")):
        assert not is_clear(unclear.truths, 10)


def test_of_two_conditions_with_nearly_the_same_documents_one_is_kept() -> None:
    found = [support("abcdefghij"), support("abcdefghi"), support("abc")]
    assert list(unlike(found)) == [found[0], found[2]]


def test_bursty_words_and_phrases_come_before_evenly_spread_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mining, "_MOST_SHARE", 1)
    even = "The review was held as planned and nobody objected to anything at length. "
    sources = [
        Source(f"s{at}", even + ("Solar panels here, solar panels there. " * 3 if at < 3 else ""))
        for at in range(12)
    ]
    terms = [
        each.rule.term for each in term_candidates(sources) if isinstance(each.rule, MentionRule)
    ]
    assert "solar panels" in {each.lower() for each in terms[:3]}
    assert not {"the", "was", "as planned"} & {each.lower() for each in terms}


HEADER = "Title: A\nStatus: Final\nAuthor: Ann Lee, Bob Ray\nCreated: 12-May-2014\n\nThe body.\n"


ISSUES, RECIPIENT = HeadingRule(title="Open Issues"), MentionRule(term="Recipient")


@pytest.mark.parametrize(
    ("rule", "text", "places", "borderline"),
    [
        (MentionRule(term="mypy"), "We use mypy, not flake8.", ["mypy"], False),
        (MentionRule(term="mypy"), "Mypy's rules and (mypy).", ["Mypy", "mypy"], False),
        (MentionRule(term="mypy"), "See https://mypy.example or mypy_plugin.", [], True),
        (MentionRule(term="type checker"), "A type\nchecker runs.", ["type\nchecker"], False),
        (MentionRule(term="type checker"), "A type\n\nchecker runs.", [], True),
        (MentionRule(term="type checker"), "The type-checker and type checkers.", [], True),
        (RECIPIENT, "The Recipient pays. RECIPIENT:", ["Recipient", "RECIPIENT"], False),
        (RECIPIENT, "Any recipient pays.", [], True),
        (MentionRule(term="C"), "C++ and Cython.", [], True),
        (ISSUES, "Open Issues\n===========\n\nNone.\n", ["Open Issues"], False),
        (ISSUES, "Intro.\n\n## 4. Open issues\n\nNone.\n", ["## 4. Open issues"], False),
        (ISSUES, "# Open Issues and Questions\n\nNone.\n", [], True),
        (ISSUES, "Some words.\nOpen issues:\nmore of them.\n", [], True),
        (ISSUES, "There are open issues in it.\n", [], False),
        (FieldRule(field="Status", value="final"), HEADER, ["Status: Final"], False),
        (FieldRule(field="status", value="Draft"), HEADER, [], False),
        (FieldRule(field="Author", value="Bob Ray"), HEADER, ["Author: Ann Lee, Bob Ray"], False),
        (FieldRule(field="Author", value="Robert Ray"), HEADER, [], True),
        (FieldRule(field="Author", value="Ann"), HEADER, [], True),
        (FieldRule(field="Sponsor", value="Bob Ray"), HEADER, [], False),
    ],
)
def test_a_rule_is_decided_by_whole_words_headings_without_number_and_values_of_fields(
    rule: Rule, text: str, places: list[str], borderline: bool
) -> None:
    source = Source("a", text)
    assert [text[start:end] for start, end in rule.places(source)] == places
    assert bool(annotate(by_rule(rule), [source]).borderline) is borderline


@pytest.mark.parametrize(
    ("logic", "satisfied", "borderline"), [("AND", "a", "bc"), ("OR", "abcd", "e")]
)
def test_a_document_is_borderline_where_the_borderline_conditions_decide(
    logic: Logic, satisfied: str, borderline: str
) -> None:
    one, other = support("abd", "c"), support("ac", "be")
    assert combined(logic, [one.truths, other.truths]) == Truths(
        frozenset(satisfied), frozenset(borderline)
    )
