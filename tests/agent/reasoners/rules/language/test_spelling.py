import pytest

from agent.reasoners.rules.language.spelling import american


@pytest.mark.parametrize(
    ("british", "other"),
    [
        ("licence", "license"),
        ("colours", "colors"),
        ("organised", "organized"),
        ("centre", "center"),
        ("labelled", "labeled"),
        ("catalogue", "catalog"),
        ("paediatric", "pediatric"),
        ("enroll", "enrol"),
    ],
)
def test_both_spellings_have_one_key(british: str, other: str) -> None:
    assert american(british) == american(other)


@pytest.mark.parametrize("word", ["hour", "called", "filled", "drilling", "party", "acre"])
def test_other_words_stay(word: str) -> None:
    assert american(word) == word
