import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.reasoners.rules.language.coordination import alternatives


def written_out(phrase: str) -> set[str]:
    return {" ".join(words) for words in alternatives(phrase.split())}


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        pytest.param("sell goods", {"sell goods"}, id="no alternative"),
        pytest.param(
            "that is irrevocable or perpetual",
            {"that is irrevocable", "that is perpetual"},
            id="single words",
        ),
        pytest.param(
            "keep a fee increase or a consent rule when use grows",
            {"keep a fee increase when use grows", "keep a consent rule when use grows"},
            id="articles",
        ),
        pytest.param(
            "bar from contesting titles or from bringing claims",
            {"bar from contesting titles", "bar from bringing claims"},
            id="repeated preposition",
        ),
        pytest.param(
            "a right of first refusal , first offer or first negotiation",
            {
                "a right of first refusal",
                "a right of first offer",
                "a right of first negotiation",
            },
            id="list of parallel members",
        ),
        pytest.param(
            "soliciting or hiring employees",
            {"soliciting employees", "hiring employees"},
            id="adjacent participles",
        ),
        pytest.param(
            "award agreed damages or a termination fee",
            {"award agreed damages", "award a termination fee"},
            id="article on the right only",
        ),
    ],
)
def test_or_is_written_out(phrase: str, expected: set[str]) -> None:
    assert written_out(phrase) == expected


@given(st.lists(st.sampled_from(["or", ",", "a", "the", "selling", "goods", "from"]), max_size=14))
def test_the_alternatives_are_few_and_free_of_or(words: list[str]) -> None:
    found = alternatives(words)
    assert 1 <= len(found) <= 24
    assert all("or" not in each for each in found)
    assert all(word in words for each in found for word in each)
