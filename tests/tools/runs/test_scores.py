"""The run store keeps the score that a chunk had when it was chosen for reading."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.runs.store import RunStore

SCORES = st.dictionaries(st.integers(0, 10**9), st.floats(allow_nan=False, allow_infinity=False))


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    with RunStore(tmp_path_factory.mktemp("scores") / "runs.sqlite") as opened:
        for run in ("r1", "r2"):
            opened.create(run, "how many?", "c0ffee", "g1", "rules", "2026-01-01T00:00:00Z")
        yield opened


@pytest.fixture
def store(opened: RunStore) -> RunStore:
    for run in ("r1", "r2"):
        opened.restart(run)
    return opened


@given(scores=SCORES)
def test_scores_come_back_as_they_were_put(opened: RunStore, scores: dict[int, float]) -> None:
    opened.restart("r1")
    opened.put_scores("r1", 1, "c1", scores)
    assert opened.scores("r1", "c1") == scores


def test_a_run_without_scores_has_none(store: RunStore) -> None:
    assert store.scores("r1", "c1") == {}


def test_the_rounds_of_a_condition_are_put_together(store: RunStore) -> None:
    store.put_scores("r1", 1, "c1", {4: 0.5})
    store.put_scores("r1", 2, "c1", {7: -1.5})
    assert store.scores("r1", "c1") == {4: 0.5, 7: -1.5}


@pytest.mark.parametrize("order", [(2, 10), (10, 2)], ids=["in order", "out of order"])
def test_the_latest_round_counts(order: tuple[int, int], store: RunStore) -> None:
    for round_ in order:
        store.put_scores("r1", round_, "c1", {4: float(round_)})
    assert store.scores("r1", "c1") == {4: 10.0}


def test_a_round_that_is_repeated_is_put_once(store: RunStore) -> None:
    store.put_scores("r1", 1, "c1", {4: 0.5, 5: 0.25})
    store.put_scores("r1", 1, "c1", {4: 0.75})
    assert store.scores("r1", "c1") == {4: 0.75}


def test_conditions_and_runs_have_their_own(store: RunStore) -> None:
    store.put_scores("r1", 1, "c1", {4: 0.5})
    assert store.scores("r1", "c2") == {}
    assert store.scores("r2", "c1") == {}


def test_a_restart_forgets_them(store: RunStore) -> None:
    store.put_scores("r1", 1, "c1", {4: 0.5})
    store.put_scores("r2", 1, "c1", {4: 0.5})
    store.restart("r1")
    assert store.scores("r1", "c1") == {}
    assert store.scores("r2", "c1") == {4: 0.5}
