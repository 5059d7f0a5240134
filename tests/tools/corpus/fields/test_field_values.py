import pytest

from tools.corpus.fields.field_values import split_items


@pytest.mark.parametrize(
    ("raw", "items"),
    [
        ("Ann Lee <ann at x.org>", ("Ann Lee",)),
        ("ann@x.org (Ann Lee)", ("Ann Lee",)),
        ("ann@x.org", ("ann@x.org",)),
        ("A <a@x.org>,\n        B <b@x.org>", ("A", "B")),
        ("a title that is\n  folded", ("a title that is folded",)),
        ("\n  First\n  Second", ("First", "Second")),
        ("- one\n- two", ("one", "two")),
        ("Doe, John; Roe, Jane", ("Doe, John", "Roe, Jane")),
        ("Acme, Inc., Beta, Ltd.", ("Acme, Inc.", "Beta, Ltd.")),
        ("Birch Estates, L.L.C.", ("Birch Estates, L.L.C.",)),
        ("Elm, LLC, Oak, S.A. de C.V., J. Roe", ("Elm, LLC", "Oak, S.A. de C.V.", "J. Roe")),
        ("Ann Lee, Ph.D, Bob Ray, Jr., C. Ito", ("Ann Lee, Ph.D", "Bob Ray, Jr.", "C. Ito")),
        ("May 1, 2001, June 2, 2002", ("May 1, 2001", "June 2, 2002")),
        ("1,234.5 USD", ("1,234.5 USD",)),
        ("License :: OSI Approved :: MIT License", ("License :: OSI Approved :: MIT License",)),
        ("[org/repo#1](https://x.org/1)", ("org/repo#1",)),
        ("`name_of`", ("name_of",)),
        ("red, green, and blue", ("red", "green", "blue")),
        (
            "a long sentence with a comma in it, and more than six words on both sides of it",
            ("a long sentence with a comma in it, and more than six words on both sides of it",),
        ),
        ("", ()),
    ],
)
def test_items(raw: str, items: tuple[str, ...]) -> None:
    assert split_items(raw) == items
