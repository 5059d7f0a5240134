import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.reasoners.rules.judging.matching import spans_of_terms, term_pattern


def mentions(text: str, term: str, *excludes: str) -> list[str]:
    return [text[start:end] for start, end in spans_of_terms(text, [term], excludes)]


@pytest.mark.parametrize(
    ("term", "text"),
    [
        pytest.param("Kotlin", "in Kotlin, too", id="plain"),
        pytest.param("NumPy", "arrays of numpy", id="case of a name"),
        pytest.param("typeshed", "`Typeshed`_", id="markup"),
        pytest.param("RPM", "two RPMs", id="plural of an acronym"),
        pytest.param("Debian", "Debian's rules", id="possessive"),
        pytest.param("Unladen Swallow", "the Unladen\n  Swallow project", id="line break"),
        pytest.param("pre commit", "a pre-commit hook", id="hyphen"),
        pytest.param("type checker", "typecheckers", id="joined"),
        pytest.param("manylinux", "manylinux2014_x86_64", id="version behind it"),
        pytest.param("wasm", "wasm32", id="digits behind it"),
    ],
)
def test_a_usual_spelling_is_a_mention(term: str, text: str) -> None:
    assert mentions(text, term)


@pytest.mark.parametrize(
    ("term", "text"),
    [
        pytest.param("Rust", "trust", id="inside a word"),
        pytest.param("Rust", "rusty", id="derived word"),
        pytest.param("TOML", "a toml table", id="acronym in small letters"),
        pytest.param("Hatch", "an escape hatch", id="common noun behind an article"),
        pytest.param("Hatch", "my_hatch_tool", id="identifier"),
    ],
)
def test_other_words_are_no_mention(term: str, text: str) -> None:
    assert not mentions(text, term)


def test_a_file_name_is_excluded_where_the_criteria_say_so() -> None:
    text = "in foo.TOML only"
    assert mentions(text, "TOML")
    assert not mentions(text, "TOML", "a mere file name such as foo.toml")


@pytest.mark.parametrize("term", ["", " ", "--"])
def test_a_term_without_letters_is_never_mentioned(term: str) -> None:
    assert not mentions("a -- b", term)


def test_an_excluded_phrase_hides_the_term_in_it() -> None:
    assert not mentions("to cargo cult it", "Cargo", "cargo cult")
    assert mentions("with Cargo, not a cargo cult", "Cargo", "cargo cult") == ["Cargo"]


@given(st.text(alphabet="ab -\n.", max_size=30), st.sampled_from(["a", "ab", "a b"]))
def test_a_mention_has_no_letter_at_its_sides(text: str, term: str) -> None:
    for start, end in spans_of_terms(text, [term]):
        assert not text[start - 1 : start].isalpha() or start == 0
        assert not text[end : end + 1].isalpha()


@pytest.mark.parametrize(
    ("term", "text"),
    [("cherries", "a cherry tree"), ("cherry", "ripe cherries"), ("dragons", "the dragon's eye")],
)
def test_a_common_plural_also_stands_for_the_singular(term: str, text: str) -> None:
    assert term_pattern(term).search(text)


def test_a_proper_name_in_the_plural_does_not() -> None:
    assert not term_pattern("Windows").search("a window")


@pytest.mark.parametrize(
    ("text", "term", "found"),
    [
        ("a Cr\u00e8me Br\u00fbl\u00e9e, torched", "creme brulee", "Cr\u00e8me Br\u00fbl\u00e9e"),
        (
            "a Cre\u0300me Bru\u0302le\u0301e, torched",
            "Creme Brulee",
            "Cre\u0300me Bru\u0302le\u0301e",
        ),
        ("in Zurich", "Z\u00fcrich", "Zurich"),
        ("\u00fcber\u00fcber the caf\u00e9s", "cafe", "caf\u00e9s"),
    ],
    ids=["composed", "decomposed", "only the term", "not the words before"],
)
def test_accents_of_latin_letters_make_no_difference(text: str, term: str, found: str) -> None:
    assert mentions(text, term) == [found]


def test_a_mark_that_makes_another_letter_does() -> None:
    assert not mentions("\u043c\u043e\u0439", "\u043c\u043e\u0438")
