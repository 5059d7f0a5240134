"""Communities of a graph by the Leiden algorithm (Traag et al. 2019)."""

import importlib

import numpy as np
from numpy.typing import NDArray

from agent.errors import SettingsError
from tools.batching.affinity import Affinity

__all__ = ("leiden",)

_SEED = 0


def leiden(graph: Affinity) -> NDArray[np.int64]:
    """Return each candidate's community by modularity at resolution 1, seeded, (n,).

    Raises:
        SettingsError: graspologic-native is not installed.
    """
    try:
        native = importlib.import_module("graspologic_native")
    except ModuleNotFoundError as error:
        raise SettingsError(
            "Leiden needs graspologic-native: install it with `pip install 'headcount[eval]'`"
        ) from error
    if not len(graph.near):
        return np.arange(len(graph), dtype=np.int64)
    _, found = native.leiden_csr(graph.starts, graph.near, graph.weights, len(graph), seed=_SEED)
    # A candidate without edges is in no community: it is one of its own.
    alone = len(graph)
    return np.array([found.get(place, alone + place) for place in range(alone)], dtype=np.int64)
