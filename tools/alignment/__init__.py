"""Mentions become entities: names that are surely one, names to ask about, merged clusters."""

from tools.alignment.blocking import Embed
from tools.alignment.clusters import Cluster, Merged, groups, merge
from tools.alignment.pairs import Blocks, candidate_pairs

__all__ = (
    "Blocks",
    "Cluster",
    "Embed",
    "Merged",
    "candidate_pairs",
    "groups",
    "merge",
)
