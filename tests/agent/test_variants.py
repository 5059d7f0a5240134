"""Which names may be spellings of one name."""

import pytest

from agent.variants import spelling_variants, variant_pairs


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Zoe Poe", "Zoë Poe", id="accents"),
        pytest.param("Jo Lee", "Jo Ann Lee", id="a middle name"),
        pytest.param("J. Lee", "Jo Lee", id="an initial"),
        pytest.param("Quill & Page", "Quill and Page", id="an ampersand"),
        pytest.param("Hoxley Foods", "Hoxley Foods, Inc.", id="a legal form"),
        pytest.param("The Mill", "Mill", id="an article"),
        pytest.param("O'Neil Ltd", "ONeil Limited", id="an apostrophe"),
    ],
)
def test_spellings_of_one_name_are_found(one: str, other: str) -> None:
    assert spelling_variants(one, [other]) == [other]
    assert variant_pairs([one, other]) == [(one, other)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Jo Lee", "Max Lee", id="another given name"),
        pytest.param("Jo Ann Lee", "Jo Beth Lee", id="another middle name"),
        pytest.param("Jo Lee", "Jo Lind", id="another surname"),
        pytest.param("Lee", "Jo Lee", id="a surname alone"),
        pytest.param("Phase 1 trial", "Phase 2 trial", id="a number"),
        pytest.param("J. Lee", "J. B. Lee", id="initials alone"),
        pytest.param("acme", "Acme", id="case is no spelling"),
    ],
)
def test_other_names_are_left_apart(one: str, other: str) -> None:
    assert variant_pairs([one, other]) == []
