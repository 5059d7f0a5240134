"""Readers that answer from a question's annotation, without error or at a given skill."""

from evals.annotated.skill import Skill, skill_of
from evals.annotated.skill_reasoner import SkillReasoner

__all__ = ("Skill", "SkillReasoner", "skill_of")
