"""A second opinion counts only what has two verdicts."""

import pytest

from agent.coverage import Rejudged, SecondOpinion


@pytest.mark.parametrize(
    ("first", "agreed"), [(True, 2), (False, 1)], ids=["judged yes", "judged no"]
)
def test_undecided_chunks_count_on_neither_side(first: bool, agreed: int) -> None:
    each = Rejudged(condition="c1", first=first, size=9, yes=(1, 2), no=(3,), undecided=(4,))
    assert (each.drawn, each.agreed) == (3, agreed)


def test_nothing_judged_again_is_no_agreement() -> None:
    assert SecondOpinion(by="second", strata=()).agreement is None


def test_a_second_opinion_comes_back_from_json_as_it_was() -> None:
    opinion = SecondOpinion(
        by="second", strata=(Rejudged(condition="c1", first=True, size=2, yes=(1,), no=(5,)),)
    )
    assert SecondOpinion.model_validate_json(opinion.model_dump_json()) == opinion
