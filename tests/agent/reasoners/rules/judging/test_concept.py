import pytest

from agent.question import Condition
from agent.reasoners.rules.judging.concept import commonness, read_concept
from tests.agent.reasoners.rules.small_corpus import SmallCorpus

CORPUS = SmallCorpus(["The tenant may audit books and records in Utah.", "a lease", "a lease"])


def words_of(text: str, *counts: str) -> list[list[str]]:
    concept = read_concept(Condition(id="c1", text=text, counts=counts), "lease", CORPUS)
    return [[slot.word for slot in each.slots] for each in concept.alternatives]


def test_only_telling_words_of_the_corpus_remain() -> None:
    assert words_of("let a party audit the counterparty's zebra") == [["audit"]]


def test_alternatives_are_kept_apart() -> None:
    assert words_of("audit books or records") == [["audit", "records"], ["audit", "books"]] or (
        words_of("audit books or records") == [["audit", "books"], ["audit", "records"]]
    )


def test_a_name_unknown_to_the_corpus_stays_demanded() -> None:
    assert words_of("audit in Ohio") == [["audit", "Ohio"]]


def test_what_counts_is_an_alternative() -> None:
    assert ["records"] in words_of("audit books", "records")


def test_the_entity_type_says_nothing() -> None:
    assert words_of("names a lease") == []


@pytest.mark.parametrize(
    ("word", "expected"), [("lease", 2 / 43), ("Leases", 2 / 43), ("zebra", 0.0)]
)
def test_commonness_is_the_share_of_chunks(word: str, expected: float) -> None:
    assert commonness(word, CORPUS) == pytest.approx(expected)


def test_an_empty_corpus_has_no_common_words() -> None:
    assert commonness("lease", SmallCorpus([], padding=0)) == 0.0


@pytest.mark.parametrize(
    ("text", "nothing"),
    [("names a lease", True), ("have a zebra crossing", False), ("audit books", False)],
)
def test_words_that_no_chunk_has_say_something_all_the_same(text: str, nothing: bool) -> None:
    assert read_concept(Condition(id="c1", text=text), "lease", CORPUS).says_nothing is nothing
