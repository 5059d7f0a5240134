from tools.audit.leaks import leaks
from tools.audit.look import Look, Tally


def test_strata_that_leaked_come_in_the_order_of_what_they_may_still_hold() -> None:
    look = Look(
        found=9,
        strata=(
            Tally(stratum="clean", size=90, drawn=9, hits=0),
            Tally(stratum="two hits, little left", size=12, drawn=10, hits=2),
            Tally(stratum="a hit, much left", size=100, drawn=10, hits=1),
            Tally(stratum="read in full", size=5, drawn=5, hits=4),
        ),
    )
    found = leaks(look)
    assert [each.stratum for each in found] == ["a hit, much left", "two hits, little left"]
    assert [each.expected for each in found] == [9.0, 0.4]


def test_a_clean_look_has_no_leak() -> None:
    assert leaks(Look(found=1, strata=(Tally(stratum="a", size=9, drawn=3, hits=0),))) == ()
