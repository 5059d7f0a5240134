"""Candidates carry features of two parts, each of length 1."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import SettingsError
from tests.built import built, built_once
from tools.batching.batch_candidates import (
    Candidates,
    Part,
    batch_limits,
    in_order,
)
from tools.corpus.corpus import Corpus

TEXTS = {
    "a.txt": "The harbour master logs every vessel. Pilots board at dawn near the outer buoy.",
    "b.txt": "Vessel pilots board at dawn. The harbour master waits near the outer buoy.",
    "c.txt": "Rye bread wants a long rise and a hot oven; the crust should sing when it cools.",
}
corpus = built_once(partial(built, TEXTS))


@pytest.mark.parametrize("parts", [["tf-idf"], ["embedding"], ["tf-idf", "embedding"]])
def test_rows_are_unit_and_like_texts_are_nearer(corpus: Corpus, parts: list[Part]) -> None:
    candidates = Candidates.of(corpus, [2, 0, 1], parts=parts)
    assert candidates.ids.tolist() == [0, 1, 2]
    rows = candidates.features
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-5)
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.2


def test_places_become_chunk_ids_in_document_order(corpus: Corpus) -> None:
    candidates = Candidates.of(corpus, [1, 2])
    assert candidates.chunks([[1, 0]]) == [[1, 2]]


few = st.integers(0, 300)


TAKEN = {
    "context": 8000,
    "reply": 1000,
    "overhead": 900,
    "per_passage": 40,
    "reply_per_passage": 20,
    "reply_per_condition": 30,
    "conditions": 2,
}


def test_a_passage_whose_reply_may_overflow_is_still_asked_about_alone() -> None:
    assert batch_limits(**TAKEN | {"reply": 64, "conditions": 9}).passages == 1


@pytest.mark.parametrize("overhead", [7000, 6960, 9000], ids=["none", "no passage", "negative"])
def test_a_context_without_room_for_a_passage_is_refused(overhead: int) -> None:
    with pytest.raises(SettingsError, match="context_tokens"):
        batch_limits(**TAKEN | {"overhead": overhead})


@given(few, few, few, few, st.integers(0, 6), st.lists(st.integers(0, 400), max_size=40))
def test_prompt_and_reply_of_any_piece_are_within_the_context(
    overhead: int, dress: int, per: int, each: int, conditions: int, sizes: list[int]
) -> None:
    context, reply = 2000, 500
    limits = batch_limits(
        context=context,
        reply=reply,
        overhead=overhead,
        per_passage=dress,
        reply_per_passage=per,
        reply_per_condition=each,
        conditions=conditions,
    )
    costs = limits.costs(np.array(sizes, dtype=np.int64))
    for piece in in_order(range(len(sizes)), costs, limits):
        prompt = overhead + sum(sizes[place] + dress for place in piece)
        replied = len(piece) * (per + conditions * each)
        assert len(piece) == 1 or (prompt + reply <= context and replied <= reply)
