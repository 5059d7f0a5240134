"""Verdicts of people belong to a passage's words and a condition, and are never deleted."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agent.question import Condition
from tools.runs.reviews import Reviewed, Reviews

PASSAGE = "One dog may be kept."
PET = Condition(id="c1", text="allows a pet", counts=("a dog",))
YES = Reviewed(
    document="a",
    start=0,
    condition="allows a pet",
    judgement="yes",
    quote="One dog may be kept.",
    who="ann",
    made="2026-01-02T03:04:05+00:00",
    question="Which leases allow a pet?",
)


@pytest.fixture
def reviews(tmp_path: Path) -> Iterator[Reviews]:
    with Reviews(tmp_path) as opened:
        yield opened


def test_a_verdict_holds_wherever_the_words_stand(reviews: Reviews):
    reviews.put(PASSAGE, PET, YES)
    reviews.close()
    assert reviews.verdict("One dog\nmay be kept.", PET.model_copy(update={"id": "c2"})) == YES
    assert reviews.verdict("No dog may be kept.", PET) is None
    assert reviews.path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "changed", [{"text": "allows a cat"}, {"counts": ()}, {"excludes": ("x",)}]
)
def test_a_verdict_does_not_hold_under_other_criteria(changed: dict[str, object], reviews: Reviews):
    reviews.put(PASSAGE, PET, YES)
    assert reviews.verdict(PASSAGE, PET.model_copy(update=changed)) is None


def test_the_last_verdict_that_was_not_withdrawn_stands(reviews: Reviews):
    no = replace(YES, judgement="no", quote="")
    reviews.put(PASSAGE, PET, YES)
    number = reviews.put(PASSAGE, PET, no)
    assert reviews.verdict(PASSAGE, PET) == no
    assert list(reviews.all()) == [YES, no]
    assert reviews.last(YES.question, "ann") == (number, no)
    assert reviews.last(YES.question, "bob") is None
    reviews.withdraw(number)
    assert reviews.verdict(PASSAGE, PET) == YES
    assert list(reviews.all()) == [YES]
