"""Mentions become entities: names that are surely one, names to ask about, merged clusters."""

from tools.alignment.name_clusters import Cluster, Merged, groups, merge
from tools.alignment.name_pairs import Blocks, Embed, candidate_pairs

__all__ = (
    "Blocks",
    "Cluster",
    "Embed",
    "Merged",
    "candidate_pairs",
    "groups",
    "merge",
)
