import pytest

from tools.corpus.chunking.paragraphs import Heading, HeadingPath, heading_line, run_in_heading


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("# Title", "Title"),
        ("### Sub title ##", "Sub title"),
        ("1.2 Scope of work", "1.2 Scope of work"),
        ("3. Results and Discussion", "3. Results and Discussion"),
        ("IV. Methods", "IV. Methods"),
        ("ARTICLE IV", "ARTICLE IV"),
        ("Exhibit 10.17", "Exhibit 10.17"),
        ("Section 5. Term", "Section 5. Term"),
        ("     LEASE AGREEMENT", "LEASE AGREEMENT"),
        ("Plain words.", None),
        ("1. buy the rope and the nails", None),
        ("Section 5 of the act says that this is not one.", None),
        ("A | B", None),
        ("MAX_SIZE = 5", None),
        ("_____", None),
        ("3.5", None),
        ("#hashtag", None),
    ],
)
def test_a_heading_on_its_own_line(line: str, title: str | None) -> None:
    heading = heading_line(line, alone=True)
    assert (heading and heading.title) == title


@pytest.mark.parametrize(
    ("clause", "title"),
    [
        ("12.3 Termination. Either party", "12.3 Termination"),
        ("Section 5. Term of Lease. This", "Section 5. Term of Lease"),
        ("(b) Notices. All", "(b) Notices"),
        ("4. PRODUCT NAME: the name", "4. PRODUCT NAME"),
    ],
)
def test_a_clause_may_begin_with_its_heading(clause: str, title: str) -> None:
    found = run_in_heading(clause)
    assert found[0].title == title


def test_a_path_closes_what_a_heading_ends_and_another_family_goes_below() -> None:
    path = HeadingPath()
    seen = []
    for level, title in [(1, "a"), (2, "b"), (3, "c"), (2, "d"), (1, "e")]:
        path.enter(Heading("#", level, title))
        seen.append("".join(path.titles()))
    assert seen == ["a", "ab", "abc", "ad", "e"]
    path = HeadingPath()
    for family, level, title in [("ARTICLE", 1, "I"), ("1.1", 2, "1.1"), ("ARTICLE", 1, "II")]:
        path.enter(Heading(family, level, title))
    assert path.titles() == ("II",)


def test_numbered_headings_reach_no_further_than_a_section_is_long() -> None:
    path = HeadingPath()
    path.enter(Heading("#", 1, "Lease"))
    path.enter(Heading("1.1", 1, "2 Rent"), at=100)
    assert not path.leave(4000)
    assert path.leave(4101)
    assert path.titles() == ("Lease",)
