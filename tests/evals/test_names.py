import pytest

from evals.names import DocumentNames, normal_name


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param("New York", "the New  York", id="article and space"),
        pytest.param("Tarek Ziadé", "TAREK ZIADE", id="accent and case"),
        pytest.param("Łukasz Langa <l@example.org>", "Łukasz Langa", id="address"),
        pytest.param("A.M. Kuchling", "A M Kuchling", id="punctuation"),
    ],
)
def test_names_are_equal(left: str, right: str) -> None:
    assert normal_name(left) == normal_name(right)


def test_a_document_is_found_by_its_last_part() -> None:
    assert DocumentNames(["a/one", "b/two"]).find("two") == 1


def test_a_last_part_that_occurs_twice_finds_nothing() -> None:
    names = DocumentNames(["a/one", "b/one"])
    assert names.find("one") is None
    assert names.find("b/one") == 1
