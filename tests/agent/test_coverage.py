"""A second opinion counts only what has two verdicts."""

from agent.coverage import Rejudged, SecondOpinion


def test_undecided_chunks_count_on_neither_side() -> None:
    each = Rejudged(condition="c1", first=True, size=9, yes=(1, 2), no=(3,), undecided=(4,))
    assert each.drawn == 3


def test_a_second_opinion_comes_back_from_json_as_it_was() -> None:
    opinion = SecondOpinion(
        by="second", strata=(Rejudged(condition="c1", first=True, size=2, yes=(1,), no=(5,)),)
    )
    assert SecondOpinion.model_validate_json(opinion.model_dump_json()) == opinion
