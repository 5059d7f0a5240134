import pytest

from agent.question import Condition
from agent.reasoners.rules.judging.assertion import could_assert, read_sentence, strength
from agent.reasoners.rules.judging.concept import read_concept
from tests.agent.reasoners.rules.small_corpus import SmallCorpus

TEXTS = (
    "The dealer shall not compete with the maker.",
    "The dealer may compete with the maker.",
    "Either side may end the lease by giving notice.",
    "If rent is unpaid, the owner may end the lease by giving notice.",
    "The lease is governed by the law of Utah.",
    "The lease is governed by the law of Iowa.",
    "The grower keeps insurance. A long list of other matters follows.",
    "A nontransferable licence is granted.",
)
CORPUS = SmallCorpus(TEXTS)


def how_strong(condition: str, text: str, heading: str = "") -> float:
    concept = read_concept(Condition(id="c1", text=condition), "lease", CORPUS)
    return strength(read_sentence(text, heading), concept)


def states(condition: str, text: str) -> bool:
    concept = read_concept(Condition(id="c1", text=condition), "lease", CORPUS)
    return strength(read_sentence(text), concept) >= concept.enough


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        pytest.param("restrict a party from competing", TEXTS[0], id="prohibition"),
        pytest.param("let a party end it by giving notice", TEXTS[2], id="permission"),
        pytest.param("are governed by the law of Utah", TEXTS[4], id="name"),
        pytest.param(
            "require a party to keep insurance", "You must keep insured.", id="inflection"
        ),
        pytest.param("grant a license", TEXTS[7], id="spelling"),
        pytest.param("limit it (non-transferable licence)", TEXTS[7], id="name in parentheses"),
    ],
)
def test_a_sentence_that_states_the_condition_is_enough(condition: str, text: str) -> None:
    assert states(condition, text)


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        pytest.param("restrict a party from competing", TEXTS[1], id="permitted, not forbidden"),
        pytest.param("are governed by the law of Utah", TEXTS[5], id="another name"),
        pytest.param("let a party end it by notice without cause", TEXTS[3], id="conditional"),
        pytest.param("require a party to keep insurance", "Nothing of this kind.", id="unrelated"),
    ],
)
def test_a_sentence_that_states_something_else_is_not(condition: str, text: str) -> None:
    assert not states(condition, text)


def test_words_far_apart_are_weaker_than_words_side_by_side() -> None:
    near = how_strong("are governed by law", "It is governed by law.")
    far = how_strong("are governed by law", "It is governed" + " and on" * 60 + " by law.")
    assert far < near


def test_the_heading_helps_a_sentence_but_does_not_replace_it() -> None:
    condition = "are governed by law"
    assert how_strong(condition, "It is governed so.", "Law") > how_strong(
        condition, "It is governed so."
    )
    assert how_strong(condition, "It is so.", "Governing law") == 0


def test_a_larger_corpus_asks_for_more() -> None:
    condition = Condition(id="c1", text="are governed by law")
    small = read_concept(condition, "lease", SmallCorpus(TEXTS, padding=500))
    large = read_concept(condition, "lease", SmallCorpus(TEXTS, padding=50_000))
    assert small.enough < large.enough <= 0.6


def test_a_passage_without_the_words_needs_no_reading() -> None:
    concept = read_concept(Condition(id="c1", text="restrict competing"), "lease", CORPUS)
    assert could_assert({"compet"}, concept)
    assert not could_assert({"leas", "rent"}, concept)
