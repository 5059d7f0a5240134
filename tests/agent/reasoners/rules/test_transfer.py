"""Questions about documents of other kinds, decided by their headers."""

import pytest

from tests.agent.reasoners.rules.papers import Papers

OBJECTS = Papers(
    {
        f"object-{number}": {
            "root_cause": ("human error", "power outage")[number % 2],
            "Filed": f"20{18 + number % 3}-{1 + number % 12:02}-05",
            "Cook time": f"{15 * (number + 1)} minutes",
            "medium": ("watercolour", "bronze", "ink on paper")[number % 3],
            "plaintiff": ("Corwin Labs", "The Quill Trust")[number % 2],
            "reported_by": ("K. Adeyemi", "P. Moreau")[number % 2],
            "License": ("MIT", "MIT License", "BSD")[number % 3],
        }
        for number in range(12)
    }
)
EVEN = {0, 2, 4, 6, 8, 10}


def numbers(question: str) -> set[int]:
    return {int(name.split("-")[1]) for name in OBJECTS.found(question)}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many objects had a root cause other than human error?", set(range(12)) - EVEN),
        ("How many objects are watercolors?", {0, 3, 6, 9}),
        ("How many objects take less than an hour?", {0, 1, 2}),
        ("How many objects have a cook time of at least 2 hours?", {7, 8, 9, 10, 11}),
        ("How many objects were filed in December?", {11}),
        ("How many objects were filed in the second half of 2018?", {6, 9}),
        ("How many objects were brought by Corwin Labs?", EVEN),
        ("How many objects were brought by the Quill Trust?", set(range(12)) - EVEN),
        ("How many objects were reported by K. Adeyemi?", EVEN),
        ("How many objects are under the MIT licence?", {0, 1, 3, 4, 6, 7, 9, 10}),
        ("How many objects affected neither bronze nor watercolour?", {2, 5, 8, 11}),
    ],
)
def test_headers_of_other_domains_decide(question: str, expected: set[int]) -> None:
    conditions = OBJECTS.read(question).conditions
    assert conditions is not None
    assert numbers(question) == expected
