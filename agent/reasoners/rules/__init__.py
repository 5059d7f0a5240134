"""The embedded reasoner: deterministic, offline, without weights; it abstains rather than guess."""

from agent.reasoners.rules.reasoner import RulesReasoner

__all__ = ("RulesReasoner",)
