"""Verdicts of people belong to a passage's words and a condition, and are never deleted."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agent.question import Condition
from tests.built import built
from tools.corpus.corpus import Corpus
from tools.runs.reviews import Reviewed, Reviews

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


DOG = "One dog may be kept."


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return built({"a.md": DOG, "b.md": DOG}, tmp_path / "first")


@pytest.fixture
def reviews(tmp_path: Path) -> Iterator[Reviews]:
    with Reviews(tmp_path) as opened:
        yield opened


def test_a_verdict_holds_for_a_condition_s_words_as_long_as_its_own_stand_there(
    reviews: Reviews, corpus: Corpus, tmp_path: Path
):
    reviews.put(corpus, 0, YES)
    reviews.close()
    for changed in ({"id": "c2"}, {"counts": ()}, {"excludes": ("x",)}):
        assert reviews.verdict(corpus, 0, PET.model_copy(update=changed)) == YES
    assert reviews.verdict(corpus, 0, PET.model_copy(update={"text": "allows a cat"})) is None
    assert reviews.verdict(corpus, 1, PET) is None
    again = built({"0.md": DOG, "a.md": "One dog\nmay be kept."}, tmp_path / "again")
    assert [reviews.verdict(again, each, PET) for each in (0, 1)] == [None, YES]
    other = built({"a.md": f"# Ovens\n\n{DOG}"}, tmp_path / "other")
    assert reviews.verdict(other, 0, PET) is None
    assert reviews.path.stat().st_mode & 0o777 == 0o600


def test_the_last_verdict_that_was_not_withdrawn_stands(reviews: Reviews, corpus: Corpus):
    no = replace(YES, judgement="no", quote="")
    reviews.put(corpus, 0, YES)
    number = reviews.put(corpus, 0, no)
    assert reviews.verdict(corpus, 0, PET) == no
    assert list(reviews.all()) == [YES, no]
    assert reviews.last(YES.question, "ann") == (number, no)
    assert reviews.last(YES.question, "bob") is None
    reviews.withdraw(number)
    assert reviews.verdict(corpus, 0, PET) == YES
    assert list(reviews.all()) == [YES]
