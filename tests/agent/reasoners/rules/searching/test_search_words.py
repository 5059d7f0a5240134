import re

import pytest

from agent.question import Condition
from agent.reasoners.rules.judging.matching import spans_of_terms
from agent.reasoners.rules.searching.search_words import is_pinned, mention_pattern, search_words
from tests.agent.reasoners.rules.small_corpus import SmallCorpus

CORPUS = SmallCorpus(["A tenant may audit the books.", "He keeps a license.", "In Utah."])


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("Unladen Swallow", "unladen\nswallow"),
        ("wasm", "(wasm32)"),
        ("type checker", "type-checkers"),
        ("C++", "in C++ only"),
        ("RPM", "_RPM_"),
    ],
)
def test_the_pattern_finds_every_mention(term: str, text: str) -> None:
    assert any(True for _ in spans_of_terms(text, [term]))
    assert re.search(mention_pattern([term]), text, re.IGNORECASE)


def test_words_are_spelt_as_in_the_corpus() -> None:
    words = search_words([Condition(id="c1", text="grant a licence")], "lease", CORPUS, 0.7)
    assert "license" in words


def test_words_derived_from_the_asked_ones_are_searched_too() -> None:
    corpus = SmallCorpus(["Nobody competes.", "A competitor.", "The competition."])
    words = search_words([Condition(id="c1", text="bar competing")], "lease", corpus, 0.0)
    assert {"competing", "competitor", "competition"} <= set(words)


def test_each_alternative_has_a_word_however_small_the_share() -> None:
    asked = [Condition(id="c1", text="auditing books or keeping a license")]
    assert set(search_words(asked, "lease", CORPUS, 0.0)) == {"auditing", "keeping"}


def test_a_condition_without_words_makes_words_useless() -> None:
    asked = [Condition(id="c0", text="names a lease"), Condition(id="c1", text="audit books")]
    assert search_words(asked, "lease", CORPUS, 0.7) == ()


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (Condition(id="c", text="are in Utah"), True),
        (Condition(id="c", text="", terms=("x",)), True),
        (Condition(id="c", text="audit books"), False),
        (Condition(id="c", text="names a lease"), False),
    ],
    ids=["name", "term", "meaning", "nothing"],
)
def test_a_condition_is_pinned_by_a_name_or_a_term(condition: Condition, expected: bool) -> None:
    assert is_pinned(condition, "lease", CORPUS) is expected
