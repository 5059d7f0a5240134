import pytest

from agent.reasoners.rules.language.denial import denies, is_restrictive


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("pets are not allowed", "pets"),
        ("no security deposit is required", "deposit"),
        ("children were excluded", "children"),
        ("the landlord waives any deposit", "deposit"),
        ("sleep did not improve", "improve"),
        ("she does not have diabetes", "diabetes"),
        ("he has never had any diabetes", "diabetes"),
        ("the lease does not contain a break clause", "break"),
        ("negative for diabetes", "diabetes"),
    ],
)
def test_a_short_sentence_that_denies_is_known(text: str, about: str) -> None:
    words = text.split()
    assert denies(words, [words.index(about)])


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("pets are allowed", "pets"),
        ("a deposit is due", "deposit"),
        ("no", "no"),
        ("they do not pay the deposit", "deposit"),
        ("not only diabetes", "diabetes"),
    ],
)
def test_an_assertion_is_none(text: str, about: str) -> None:
    assert not denies(text.split(), [text.split().index(about)])


def test_a_phrase_that_limits_may_be_proved_by_a_denial() -> None:
    assert is_restrictive(["limit", "the", "liability"])
    assert not is_restrictive(["require", "a", "deposit"])
