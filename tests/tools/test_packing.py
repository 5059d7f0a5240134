"""Every method keeps every candidate and the limits; ours keeps what is alike together."""

import sys
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.errors import SettingsError
from tests.built import built, built_once
from tools.corpus.corpus import Corpus
from tools.packing import (
    METHODS,
    Candidates,
    Limits,
    Part,
    batch_limits,
    in_order,
    semantic_batches,
)

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


few = st.integers(0, 300)


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


def drawn(seed: int, n: int, topics: int = 4, *, by_document: bool = False) -> Candidates:
    """Candidates of a few topics; ids are far from places, and documents cut across topics."""
    draw = np.random.default_rng(seed)
    topic = draw.integers(0, topics, n)
    rows = 3 * np.eye(8)[topic] + draw.normal(size=(n, 8))
    return Candidates(
        ids=np.arange(n, dtype=np.int64) * 3 + 7,
        tokens=draw.integers(1, 40, n),
        features=(rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32),
        clusters=draw.integers(0, topics, n),
        documents=np.sort(draw.integers(0, max(1, n // 5), n)),
        by_document=by_document,
    )


limit = st.builds(Limits, st.integers(1, 200), st.none() | st.integers(1, 9), st.integers(0, 5))


@pytest.mark.parametrize("name", METHODS)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 99), n=st.integers(0, 40), limits=limit, by_document=st.booleans())
def test_every_candidate_is_in_one_batch_within_the_limits(
    name: str, seed: int, n: int, limits: Limits, by_document: bool
) -> None:
    candidates = drawn(seed, n, by_document=by_document)
    batches = METHODS[name](candidates, limits)
    assert sorted(chunk for batch in batches for chunk in batch) == candidates.ids.tolist()
    cost = dict(zip(candidates.ids.tolist(), limits.costs(candidates.tokens), strict=True))
    for batch in batches:
        assert batch == sorted(batch)
        total = sum(cost[chunk] for chunk in batch)
        assert len(batch) == 1 or limits.hold(total, len(batch))
    assert METHODS[name](candidates, limits) == batches


@pytest.mark.parametrize(
    ("counted", "expected"),
    [(True, [[0, 1, 2, 3], [4, 5, 6, 7]]), (False, [[0, 2, 4, 6], [1, 3, 5, 7]])],
    ids=["documents are counted", "other things are"],
)
def test_a_document_outweighs_a_shared_topic_where_documents_are_counted(
    counted: bool, expected: list[list[int]]
) -> None:
    topics = np.tile(np.eye(2), (4, 1))
    candidates = Candidates(
        ids=np.arange(8),
        tokens=np.full(8, 10),
        features=(np.hstack((topics, np.eye(8))) / np.sqrt(2)).astype(np.float32),
        clusters=np.array([0, 0, 0, 1, 0, 1, 1, 1]),
        documents=np.repeat([0, 1], 4),
        by_document=counted,
    )
    assert sorted(semantic_batches(candidates, Limits(40))) == expected


def test_without_graspologic_leiden_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "graspologic_native", None)
    with pytest.raises(SettingsError, match=r"headcount\[eval\]"):
        METHODS["leiden"](drawn(1, 9), Limits(50))
