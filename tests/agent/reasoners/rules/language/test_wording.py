import pytest

from agent.reasoners.rules.language.wording import without_piece


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("contain a non compete clause", "contain a non compete"),
        ("contain a clause on audits", "contain a on audits"),
        ("use a placebo control", "a placebo control"),
        ("give notice of termination", "give of termination"),
        ("terminate by giving notice", "terminate by giving notice"),
    ],
)
def test_a_noun_for_a_piece_of_text_carries_no_weight(phrase: str, expected: str) -> None:
    assert " ".join(without_piece(phrase.split())) == expected
