import pytest

from agent.taxonomy import CODES, TAXONOMY, AmbiguityCode


def test_there_are_seven_codes_in_their_order() -> None:
    assert CODES == ("A1", "A2", "B1", "B2", "C1", "C2", "C3")
    assert tuple(TAXONOMY) == CODES


@pytest.mark.parametrize("code", CODES)
def test_a_kind_says_what_it_is_and_what_to_ask(code: AmbiguityCode) -> None:
    kind = TAXONOMY[code]
    assert kind.code == code
    assert kind.definition.endswith(".")
    assert kind.ask.endswith("?")
    assert kind.shown_by
    assert not kind.shown_by.endswith(".")


def test_no_two_kinds_are_alike() -> None:
    for part in ("name", "definition", "shown_by", "ask"):
        assert len({getattr(kind, part) for kind in TAXONOMY.values()}) == len(CODES)
