import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.reasoners.rules.align import align, same_name


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param("Acme, Inc.", "ACME", id="legal form"),
        pytest.param("Zoë Müller", "Zoe Muller", id="diacritics"),
        pytest.param("The Hague", "Hague", id="article"),
        pytest.param("World Health Organization", "WHO", id="acronym"),
        pytest.param("Department of Trade", "DOT", id="acronym with small words"),
        pytest.param("G. van Rossum", "Guido van Rossum", id="initials"),
        pytest.param("Rossum, Guido van", "Guido van Rossum", id="inverted"),
        pytest.param("State of Texas", "Texas", id="place"),
        pytest.param("apple", "apples", id="plural"),
        pytest.param("Smith & Sons", "Smith and Sons", id="ampersand"),
    ],
)
def test_two_writings_of_one_name_are_the_same(left: str, right: str) -> None:
    assert same_name(left, right)
    assert same_name(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param("PEP 484", "PEP 585", id="numbers"),
        pytest.param("Python 3.1", "Python 3.12", id="versions"),
        pytest.param("Anna Roe", "Anna Poe", id="family names"),
        pytest.param("J. Roe", "Anna Roe", id="initial"),
        pytest.param("New York", "York", id="part"),
        pytest.param("Bank of America", "America", id="of"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_different_names_are_not(left: str, right: str) -> None:
    assert same_name(left, right) is None


@given(st.text(max_size=20), st.text(max_size=20))
def test_sameness_has_no_direction(left: str, right: str) -> None:
    assert bool(same_name(left, right)) == bool(same_name(right, left))


def test_every_pair_is_answered_in_order() -> None:
    reply = align({"entity_type": "body", "pairs": (("A B", "a b"), ("A", "B"))})
    assert [(each.pair, each.same) for each in reply.pairs] == [(1, True), (2, False)]
