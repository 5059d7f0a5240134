import pytest
from hypothesis import strategies as st

from evals.wording import tokens

TEXTS = st.text(alphabet="ab c1,.éÉ", max_size=40)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cat, a dog & an owl.", ["cat", "dog", "owl"]),
        ("ﬁnal STRASSE", ["final", "strasse"]),
        ("1,024.5 and 3.", ["1,024.5", "and", "3"]),
        ("snake_case", ["snake", "case"]),
        ("—!", []),
    ],
    ids=["articles", "compatible", "numbers", "underscore", "nothing"],
)
def test_words_are_normalised(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected
