import pytest

from agent.reasoners.rules.language.modality import (
    Force,
    asked_force,
    expresses,
    is_conditional,
    negates,
)


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("let a party leave", "permission"),
        ("restricts a party from leaving", "prohibition"),
        ("must require notice", "obligation"),
        ("contain a clause", None),
    ],
)
def test_the_governing_verb_asks_for_a_force(phrase: str, expected: Force | None) -> None:
    assert asked_force(phrase.split()) == expected


@pytest.mark.parametrize(
    ("force", "text"),
    [
        ("permission", "Either side may leave."),
        ("permission", "has the right to leave"),
        ("prohibition", "shall not leave"),
        ("prohibition", "is prohibited from leaving"),
        ("obligation", "shall pay"),
        ("obligation", "is obliged to pay"),
    ],
)
def test_a_sentence_expresses_a_force(force: Force, text: str) -> None:
    assert expresses(text, force)


def test_denial_and_condition_are_seen() -> None:
    assert negates("a non-transferable right")
    assert not negates("a notable right")
    assert is_conditional("in the event of rain")
    assert not is_conditional("at any time")
