import numpy as np

from tools.audit.look import Look, Tally, look_at_chunks, look_at_documents
from tools.audit.sample import Drawn, draw
from tools.audit.strata import stratify

STRATA = stratify({"big": range(10), "small": [10, 11]}, np.zeros(12), bands=1)


def _drawn(*samples: list[int]) -> tuple[Drawn, ...]:
    return tuple(
        Drawn(stratum=stratum, sample=np.array(sample))
        for stratum, sample in zip(STRATA, samples, strict=True)
    )


def test_hits_and_failures_are_counted_by_stratum() -> None:
    drawn = _drawn([0, 3, 4], [10])
    look = look_at_chunks(drawn, hits=[3, 10], failed=[4], found=7)
    assert [(t.hits, t.unknown) for t in look.strata] == [(1, 1), (1, 0)]
    assert (look.population, look.drawn, look.hits, look.unknown) == (12, 4, 2, 1)
    assert look.worst_hits == 3


def test_a_stratum_read_in_full_is_known_and_leaves_nothing_to_infer() -> None:
    look = look_at_chunks(_drawn([0, 1, 2], [10, 11]), hits=[1, 11], failed=[10], found=4)
    assert [each.stratum for each in look.open] == ["big"]
    assert look.fraction == 0.3
    assert look.worst_hits == 1
    assert look.hidden(20) == 20 - 4 - 2


def test_everything_unread_might_be_a_unit() -> None:
    look = look_at_chunks(_drawn([0, 1, 2], [10]), hits=[1], failed=[2], found=4, out_of_reach=5)
    assert look.most == 4 + 5 + 1 + 1 + 8


def test_a_document_counts_once_and_only_if_it_was_not_matched() -> None:
    documents = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 0, 5]
    look = look_at_documents(
        _drawn([0, 1, 2, 4], [10]), hits=[0, 1, 4, 10], failed=[2], document=documents, matched={2}
    )
    assert [(t.hits, t.unknown) for t in look.strata] == [(1, 1), (0, 0)]
    assert look.found == 1


def test_a_document_hit_in_a_stratum_read_in_full_counts_there() -> None:
    documents = [0] * 11 + [1]
    look = look_at_documents(
        _drawn([0, 1], [10, 11]), hits=[0, 10], failed=[1, 11], document=documents, matched=()
    )
    assert [(t.hits, t.unknown) for t in look.strata] == [(0, 0), (1, 1)]


def test_a_sample_of_everything_has_no_open_stratum() -> None:
    look = look_at_chunks(draw(STRATA, 12, seed=0, look=0), hits=[], failed=[], found=1)
    assert look.open == ()
    assert look.fraction == 1.0


def test_a_look_is_what_its_tallies_say() -> None:
    look = Look(found=0, strata=(Tally(stratum="a", size=4, drawn=2, hits=1),))
    assert (look.population, look.drawn, look.hits, look.most) == (4, 2, 1, 3)
