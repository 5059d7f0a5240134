"""Words of a question that a collection does not have."""

import pytest

from agent.unknown import unknown_words
from tests.agent.papers import Papers

CORPUS = Papers(
    {"doc": {}},
    ["the", "keepers", "lit", "a", "lamp", "a", "storm", "broke", "the", "glass", "of", "in", "at"],
)


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        pytest.param("The lamp of the keepers", (), id="all known"),
        pytest.param("The lamps", (), id="another form"),
        pytest.param("The Zubrow lamp in 1890", ("Zubrow",), id="a name; numbers are left out"),
        pytest.param("A storm at Ux", (), id="too short to tell"),
    ],
)
def test_only_words_that_stand_nowhere_are_unknown(question: str, unknown: tuple[str, ...]) -> None:
    assert unknown_words(question, CORPUS) == unknown
