"""The run store keeps the pairs of names that nobody could tell."""

from collections.abc import Callable, Iterator

import pytest

from tools.runs.store import RunStore


@pytest.fixture
def store(open_store: Callable[[], RunStore]) -> Iterator[RunStore]:
    with open_store() as opened:
        opened.create("r1", "how many?", "c0ffee", "g1", "rules", "2026-01-01T00:00:00Z")
        yield opened


def test_pairs_come_back_as_they_were_put(store: RunStore) -> None:
    pairs = (("J. Roe", "Jane Roe"), ("Łódź", "Lodz"))
    store.put_doubts("r1", pairs)
    assert store.doubts("r1") == pairs


def test_a_run_without_doubts_has_none(store: RunStore) -> None:
    assert store.doubts("r1") == ()


def test_later_doubts_replace_earlier_ones(store: RunStore) -> None:
    store.put_doubts("r1", [("a", "b")])
    store.put_doubts("r1", [])
    assert store.doubts("r1") == ()


def test_a_restart_forgets_them(store: RunStore) -> None:
    store.put_doubts("r1", [("a", "b")])
    store.restart("r1")
    assert store.doubts("r1") == ()
