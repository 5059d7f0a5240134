"""On a real Ray cluster of two nodes: equal hits, and no wrong answer when a node is lost.

Run by `make bench-cluster`; each part is a process of its own, since a process has one runner.
"""

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from evals.benchmarks.real_text import CHUNK_BYTES, gather
from tests.tools.engines.sharded.two_nodes import PREDICATES, asking, two_nodes
from tests.tools.engines.shards import NEEDS_DAFT
from tools.engines.sharded.sharded_build import build_sharded

pytest.importorskip("daft", reason=NEEDS_DAFT)
pytest.importorskip("ray", reason="Ray is not installed: pip install 'headcount[ray]'")
pytestmark = pytest.mark.cluster

CHUNKS = 2000
ROUNDS = 12
LOST_IN = 3
"""The round in whose scan the node is killed."""


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("cluster")
    (place / "text").mkdir()
    packages = Path(sysconfig.get_paths()["purelib"])
    size = gather([packages], place / "text", CHUNKS * CHUNK_BYTES)
    build_sharded([place / "text"], place / "x.shards", shard_bytes=size // 16)
    return place / "x.shards"


@pytest.fixture(scope="module")
def expected(shards: Path) -> dict[str, str]:
    """Return the digest of what each predicate keeps in one process."""
    with asking(shards) as lines:
        told = {each["name"]: each for each in map(json.loads, lines) if "name" in each}
    assert told.keys() == PREDICATES.keys()
    assert all(each["kept"] for each in told.values())
    return {name: each["digest"] for name, each in told.items()}


@pytest.mark.parametrize("name", PREDICATES)
def test_two_nodes_keep_what_one_process_keeps_or_one_lost_in_mid_scan_is_an_error(
    name: str, shards: Path, expected: dict[str, str]
) -> None:
    options = {"rounds": ROUNDS, "only": name}
    with two_nodes() as nodes, asking(shards, **options, cluster=nodes.address) as lines:
        told: list[dict[str, Any]] = []
        begun = 0
        for line in map(json.loads, lines):
            begun += "begun" in line
            told += [line] if "name" in line else []
            if "begun" in line and begun == LOST_IN:
                nodes.kill_one()
    assert len(told) == ROUNDS
    assert all("digest" in each for each in told[: LOST_IN - 1])
    for each in told:
        if "error" in each:
            assert each["error"].startswith("CorpusUnreachable: ")
        else:
            assert each["digest"] == expected[name]
    assert "digest" in told[-1]


def test_no_node_looks_for_modules_where_the_command_was_started(tmp_path: Path) -> None:
    asked = (
        "import ray, sys; from tools.engines.sharded.daft_session import on_cluster;"
        "on_cluster(sys.argv[1]);"
        "print(ray.get(ray.remote(lambda: __import__('sys').path).remote()))"
    )
    with two_nodes() as nodes:
        told = subprocess.run(
            [sys.executable, "-P", "-c", asked, nodes.address],
            cwd=tmp_path, capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
        )  # fmt: skip
    assert told.stdout.startswith("['/', ")
    assert str(tmp_path) not in told.stdout
