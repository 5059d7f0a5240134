"""How many documents an item must be in is read off the question, and what is said beside it."""

import pytest

from agent.question import Interpretation
from tests.agent.reasoners.rules.papers import Papers

LEASES = Papers(
    {
        f"lease-{at:02}": {"Landlord": owner, "City": city, "Tags": tags}
        for at, (owner, city, tags) in enumerate(
            [("Ann Ray", "Hull", "flat, new"), ("Bo Fox", "York", "flat"),
             ("Ann Ray", "York", "house"), ("Bo Fox", "York", "new"), ("Ann Ray", "Hull", "flat"),
             ("Bo Fox", "Hull", "house")]
        )
    }
)  # fmt: skip
SALES = Papers(
    {
        f"row-{at}": {"Shop": shop, "Product": product}
        for at, (shop, product) in enumerate(
            [("Ash", "figs"), ("Ash", "pears"), ("Elm", "figs"), ("Oak", "figs"), ("Elm", "plums")]
        )
    }
)


def limits(reading: Interpretation) -> tuple[int, int | None] | None:
    quota = reading.quota
    return None if quota is None else (quota.at_least, quota.at_most)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which landlords have at least two leases?", (2, None)),
        ("How many landlords have more than one lease?", (2, None)),
        ("Which landlords have at most three leases?", (0, 3)),
        ("Which landlords have fewer than three leases?", (0, 2)),
        ("Which landlords have exactly two leases?", (2, 2)),
        ("Which cities occur in two or more leases?", (2, None)),
        ("Which tags are used in at least two documents?", (2, None)),
        ("Which landlords have at least two Hull leases?", (2, None)),
        ("Which landlords have (co-)signed at least two leases?", (2, None)),
        ("Which landlords have a lease?", None),
        ("Which landlords have at least two cities?", None),
        ("How many leases have at least two tags?", None),
    ],
)
def test_an_amount_of_documents_is_a_quota(
    question: str, expected: tuple[int, int | None] | None
) -> None:
    assert limits(LEASES.read(question)) == expected


@pytest.mark.parametrize("leases", ["leases in Hull", "Hull leases"])
def test_what_describes_the_documents_is_asked_of_each(leases: str) -> None:
    reading = LEASES.read(f"Which landlords have at least two {leases}?")
    assert limits(reading) == (2, None)
    assert reading.conditions is not None
    assert reading.conditions.kind == "condition"
    assert reading.conditions.predicate is not None
    assert reading.conditions.predicate.values == ("Hull",)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which products are sold by at least two shops?", (2, None)),
        ("Which shops sell at least two products?", (2, None)),
    ],
)
def test_values_that_no_two_documents_of_an_item_share_are_its_documents(
    question: str, expected: tuple[int, int | None]
) -> None:
    assert limits(SALES.read(question)) == expected
