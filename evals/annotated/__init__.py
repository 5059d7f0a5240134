"""Readers that answer from a question's annotation, without error or at a given skill."""

from evals.annotated.gold import GoldReasoner, SkillReasoner
from evals.annotated.skill import Skill, skill_of

__all__ = ("GoldReasoner", "Skill", "SkillReasoner", "skill_of")
