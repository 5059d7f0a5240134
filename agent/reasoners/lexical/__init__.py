"""The lexical reader: it answers what code decides for certain, and declines everything else."""

from agent.reasoners.lexical.reader import LexicalReasoner

__all__ = ("LexicalReasoner",)
