"""`python -m evals.benchmarks.cluster.nodes`: a Ray cluster of two nodes on this machine.

Prints the address of its head. A line `kill` on standard input kills the second node at once, as a
loss of power would, and prints `killed`. At the end of the input the cluster is taken down.
"""

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ("Nodes", "two_nodes")

_STORE = 256 * 1024 * 1024
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DISABLE_IMPORT_WARNING": "1",
}


@dataclass(frozen=True, slots=True)
class Nodes:
    """A cluster that runs in a process of its own."""

    process: "subprocess.Popen[str]"
    address: str

    def kill_one(self) -> None:
        """Kill the node that is not the head, and return when it is dead."""
        if self.process.stdin is None or self.process.stdout is None:
            raise RuntimeError("the cluster's process has no pipes")
        self.process.stdin.write("kill\n")
        self.process.stdin.flush()
        if self.process.stdout.readline().strip() != "killed":
            raise RuntimeError("the node was not killed")


@contextmanager
def two_nodes() -> Iterator[Nodes]:
    """Start two nodes of one core each and take them down afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-m", "evals.benchmarks.cluster.nodes"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | _QUIET,
    )
    with process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the cluster's process has no pipes")
        try:
            address = process.stdout.readline().strip()
            if not address:
                raise RuntimeError("the cluster did not start: is Ray installed?")
            yield Nodes(process, address)
        finally:
            process.stdin.close()
            process.wait(timeout=60)


def _serve() -> None:
    from ray.cluster_utils import Cluster

    logging.getLogger("ray").setLevel(logging.ERROR)
    node = {
        "num_cpus": 1,
        "object_store_memory": _STORE,
        "include_dashboard": False,
    }
    cluster = Cluster(initialize_head=True, head_node_args=node)
    other = cluster.add_node(num_cpus=1, object_store_memory=_STORE)
    cluster.wait_for_nodes()
    _say(cluster.address)
    for line in sys.stdin:
        if line.strip() == "kill":
            other.kill_raylet(check_alive=False)
            threading.Thread(target=cluster.remove_node, args=(other, False), daemon=True).start()
            _say("killed")
    cluster.shutdown()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _serve()
