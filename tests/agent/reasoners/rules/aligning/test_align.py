from collections.abc import Sequence

from agent.reasoners.rules.aligning.align import align


def told(*pairs: tuple[str, str]) -> Sequence[tuple[int, bool]]:
    values = {"entity_type": "body", "question": "How many?", "pairs": pairs, "quotes": {}}
    return [(each.pair, each.same) for each in align(values).pairs]


def test_every_pair_that_a_rule_settles_is_answered_in_order() -> None:
    assert told(("A B", "a b"), ("Shell", "Shell UK"), ("Act 1", "Act 2")) == [
        (1, True),
        (3, False),
    ]


def test_a_short_form_of_two_names_is_left_out() -> None:
    one, other = ("J. Roe", "John Roe"), ("J. Roe", "Jane Roe")
    assert told(one) == [(1, True)]
    assert told(one, other) == []
    assert told(("ABC", "Alpine Beet Club"), ("ABC", "American Beet Club")) == []


def test_a_short_form_may_stand_beside_others() -> None:
    assert told(("J. Roe", "John Roe"), ("J. Roe", "J. Roe Ltd")) == [(1, True), (2, True)]
