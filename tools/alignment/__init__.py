"""Mentions become entities: names that are surely one, names to ask about, merged clusters."""

from tools.alignment.blocking import Embed
from tools.alignment.clusters import Cluster, Merged, groups, merge
from tools.alignment.pairs import Blocks, candidate_pairs
from tools.alignment.rule import Rule, rule_of

__all__ = (
    "Blocks",
    "Cluster",
    "Embed",
    "Merged",
    "Rule",
    "candidate_pairs",
    "groups",
    "merge",
    "rule_of",
)
