"""A billion chunks are computed from what one costs."""

from pathlib import Path

import pytest

from evals.benchmarks.cluster import Costs, measured, modelled

COSTS: Costs = {
    "chunks": 1000,
    "text": 1000.0,
    "read": 0.0036,
    "embed": 0.00036,
    "scans": {"exact": 0.000_001, "semantic": 0.000_001},
    "kept": {"documents": 300.0, "chunks": 400.0, "words": 300.0, "vectors": 1000.0},
}


def test_work_is_shared_by_all_cores_and_reading_by_the_nodes() -> None:
    rows = modelled(COSTS, 1_000_000_000, cores=100, bytes_a_second=10e9)
    told = {name: rest for name, *rest in rows}
    assert told["read and chunk"] == ["1,000.0", "10.0 h", "1.00 TB written"]
    assert told["embed"] == ["100.0", "60 min", "1.00 TB written"]
    assert told["`exact` over everything"] == ["0.3", "40 s, its reading", "0.40 TB read"]
    assert told["`semantic` over everything"] == ["0.3", "100 s, its reading", "1.00 TB read"]


def test_costs_are_those_of_shards_that_are_made(tmp_path: Path) -> None:
    pytest.importorskip("daft")
    costs = measured("60", str(tmp_path))
    assert costs["chunks"] > 30
    parts = (*costs["scans"].values(), *costs["kept"].values())
    assert min(costs["read"], costs["embed"], *parts) > 0
