import numpy as np

from tools.records.sampling import reading_order, sample_document, turn


def test_every_round_is_spread_over_all_that_there_is() -> None:
    rows = np.repeat(np.eye(4), [10, 6, 6, 2], axis=0)
    rows += np.random.default_rng(0).normal(scale=0.01, size=rows.shape)
    order = reading_order(rows, 4)
    kinds = np.repeat(np.arange(4), [10, 6, 6, 2])
    assert sorted(order) == list(range(24))
    assert sorted(kinds[order[:4]]) == [0, 1, 2, 3]
    assert sorted(kinds[order[4:8]]) == [0, 1, 2, 3]


def test_a_handful_is_read_again_in_each_round() -> None:
    assert turn(reading_order(np.eye(3)), 2) == turn(reading_order(np.eye(3)), 0)
    assert reading_order(np.zeros((0, 3))) == []


def test_a_short_document_is_shown_whole() -> None:
    shown = sample_document("a", "It has 120 rooms.", {"Author": "B"}, 50)
    assert shown.whole
    assert shown.text == "It has 120 rooms."
    assert sample_document("a", "word " * 900, {}, 1000).whole


def test_a_long_document_is_shown_in_parts_from_all_over_it() -> None:
    text = "\n".join(f"Line {number} of the text." for number in range(1000))
    shown = sample_document("a", text, {}, 200)
    assert not shown.whole
    assert len(shown.extracts) == 5
    assert shown.extracts[0].start == 0
    assert shown.extracts[-1].text.endswith("Line 999 of the text.")
    assert all(text[each.start :].startswith(each.text) for each in shown.extracts)
