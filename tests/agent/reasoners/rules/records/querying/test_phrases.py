import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.reasoners.rules.records.querying.lexicon import Lexicon
from agent.reasoners.rules.records.querying.phrases import alike, forms_of, matched, name_words
from agent.records.record_schema import Attribute, Kind, Schema

WORDS = st.text(st.sampled_from("abcdeginorstuy"), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("one", "other"),
    [("lenses", "lens"), ("num", "number"), ("spent", "spend"), ("cities", "city"),
     ("injury", "injured"), ("gender", "sex")],
)  # fmt: skip
def test_forms_of_one_word_are_alike(one: str, other: str) -> None:
    assert alike(one, other) > 0


@pytest.mark.parametrize(("one", "other"), [("form", "from"), ("profit", "price"), ("age", "page")])
def test_other_words_are_not_alike(one: str, other: str) -> None:
    assert alike(one, other) == 0


@given(WORDS, WORDS)
def test_likeness_has_no_direction(one: str, other: str) -> None:
    assert alike(one, other) == alike(other, one)


@given(st.lists(WORDS, min_size=1, max_size=4))
def test_a_match_lies_between_nought_and_one(words: list[str]) -> None:
    for form in forms_of(name_words("number_of_staff"), ["museum"]):
        assert 0 <= matched(words, form) <= 1


def strengths(*said: str) -> list[tuple[str | None, float]]:
    kind = Kind(
        name="ship",
        attributes=(
            Attribute(name="shipname", type="text"),
            Attribute(name="ship_type_code", type="text"),
            Attribute(name="length_m", type="number", labels=("length overall",)),
        ),
    )
    lexicon = Lexicon(Schema(kinds=(kind,)), said)
    return [(each.attribute, each.strength) for each in lexicon.targets(said)]


def test_a_name_written_as_one_word_is_split_by_the_words_of_the_schema() -> None:
    assert strengths("name")[0] == ("shipname", 0.95)


def test_a_name_is_known_without_its_kind_its_unit_and_its_code() -> None:
    assert strengths("type")[0][0] == "ship_type_code"
    assert strengths("length")[0] == ("length_m", 0.95)
    assert strengths("length", "overall")[0] == ("length_m", 1.0)


def test_a_kind_is_surer_than_the_name_of_its_rows() -> None:
    assert [name for name, _ in strengths("ships")] == [None, "shipname"]
