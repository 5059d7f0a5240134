"""Mentions become entities: names that are surely one, names to ask about, merged clusters."""

from tools.alignment.name_pairs import Blocks, Embed, candidate_pairs, groups, merge

__all__ = ("Blocks", "Embed", "candidate_pairs", "groups", "merge")
