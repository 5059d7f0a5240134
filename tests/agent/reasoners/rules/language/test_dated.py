"""A date is decided by a field only where the question's words name it; else the text tells."""

import pytest

from agent.question import Condition
from agent.reasoners.rules.judging.finders import finder_of
from agent.reasoners.rules.language.dated import read_dated
from agent.reasoners.rules.language.written_dates import dates_in
from tests.agent.reasoners.rules.papers import Papers
from tests.agent.reasoners.rules.small_corpus import SmallCorpus, passage


def _papers(*fields: str) -> Papers:
    return Papers(
        {f"lease-{n}": dict.fromkeys(fields, f"20{20 + n}-03-0{n + 1}") for n in range(5)}
    )


@pytest.mark.parametrize(
    ("fields", "question", "decided"),
    [
        (["Closed"], "leases that end after 2022", None),
        (["Closed"], "Which leases expire before 2022?", None),
        (["Closed"], "Which leases were renewed in 2021?", None),
        (["Closed"], "leases closed after 2022", "Closed"),
        (["Closed"], "leases from 2022", "Closed"),
        (["Closed"], "leases dated 2021", "Closed"),
        (["Closed"], "leases that happened in 2021", "Closed"),
        (["Filed", "Closed"], "leases that were closed in 2021", "Closed"),
        (["Filed", "Closed"], "leases that happened in 2021", None),
    ],
)
def test_a_field_dates_what_its_name_says(
    fields: list[str], question: str, decided: str | None
) -> None:
    tree = _papers(*fields).read(question).conditions
    assert isinstance(tree, Condition)
    assert (tree.predicate.field if tree.predicate else None) == decided


@pytest.mark.parametrize(
    ("text", "body", "values"),
    [
        ("end after 2026", "end", ("2026",)),
        ("whose term ends between 2024 and 2026", "whose term ends", ("2024", "2026")),
        ("closed since March 2020", "closed", ("2020-03",)),
    ],
)
def test_the_date_at_the_end_is_parted(text: str, body: str, values: tuple[str, ...]) -> None:
    found = read_dated(text)
    assert found is not None
    assert (found.body, found.bound.values) == (body, values)


@pytest.mark.parametrize(
    "text", ["allow dogs", "pay more than 2000 euros", "in 2020", "last 3 years", "use Python 3"]
)
def test_other_conditions_have_no_date(text: str) -> None:
    assert read_dated(text) is None


@pytest.mark.parametrize(
    ("sentence", "proved"),
    [
        ("The lease begins on 1 April 2024 and ends on 31 March 2027.", True),
        ("The lease begins on 1 April 2027 and ends on March 31st, 2026.", False),
        ("It ends in 2026, at the latest in 2027.", False),
        ("On 2027-01-31 the lease ends.", True),
        ("The lease ends when the tenant leaves.", False),
        ("The lease was signed in 2027.", False),
    ],
)
def test_the_date_of_the_words_is_compared(sentence: str, proved: bool) -> None:
    condition = Condition(id="c1", text="end after 2026")
    finder = finder_of(condition, "lease", None, SmallCorpus([sentence]))
    assert bool(finder.proofs(passage(sentence))) is proved


def test_dates_are_read_in_every_usual_form() -> None:
    text = "3 May 2020, June 4th, 2021, the 5th day of July 2022; Aug. 2023, 2024-01-02 and 1999."
    assert [date for date, *_ in dates_in(text)] == [
        "2020-05-03", "2021-06-04", "2022-07-05", "2023-08", "2024-01-02", "1999",
    ]  # fmt: skip
