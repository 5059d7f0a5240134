import pytest

from agent.reasoners.rules.judging.naming import name_after, name_before


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("law of Utah.", "Utah"),
        ("law of the State of New York, without regard", "New York"),
        ("laws of the Federal Republic of Germany apply", "Federal Republic of Germany"),
        ("LAW OF THE STATE OF NEW YORK.", "NEW YORK"),
        ("law, in all respects, of nobody", None),
    ],
)
def test_a_preposition_points_at_a_name(text: str, expected: str | None) -> None:
    span = name_after(text, 3, len(text))
    assert (text[span[0] : span[1]] if span else None) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In 2021, Acme reported", "Acme"),
        ("The Red Cross reported", "Red Cross"),
        ("Acme and Bell reported", None),
        ("in case Acme reported", None),
    ],
)
def test_a_subject_is_named_before_its_verb(text: str, expected: str | None) -> None:
    span = name_before(text, 0, text.index("reported"))
    assert (text[span[0] : span[1]] if span else None) == expected
