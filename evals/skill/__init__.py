"""A reasoner of controlled skill: it answers from the labels, with errors at given rates."""

from evals.skill.rates import Skill, skill_of
from evals.skill.reasoner import SkillReasoner

__all__ = ("Skill", "SkillReasoner", "skill_of")
