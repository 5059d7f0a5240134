import pytest

from agent.reasoners.rules.language.words import Token, tokenize
from agent.reasoners.rules.reading.sharing import denied_objects, objects_apart


def said(tokens: list[Token]) -> str:
    return " ".join(token.text for token in tokens)


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("contain both lemon and coriander", ["contain lemon", "contain coriander"]),
        ("use eggs, flour and milk", ["use eggs", "use flour", "use milk"]),
        ("contain a promise to pay and act", []),
        ("restrict lemon and coriander", []),
    ],
)
def test_each_object_of_a_verb_of_holding_is_a_clause(clause: str, expected: list[str]) -> None:
    assert [said(part) for part in objects_apart(tokenize(clause))] == expected


def test_a_denied_object_takes_the_verb() -> None:
    found = denied_objects(tokenize("contain eggs but no flour"))
    assert found is not None
    assert [said(part) for part in found] == ["contain eggs", "contain flour"]
