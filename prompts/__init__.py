"""What is said to a model: one Markdown file a prompt, one typed function each."""

from prompts.aligning import align
from prompts.classifying import classify
from prompts.filtering import observe, plan
from prompts.judging import judge
from prompts.questions import clarify, interpret, rewrite
from prompts.readings import decompose, gate, hypothesise, synthesise

__all__ = (
    "align",
    "clarify",
    "classify",
    "decompose",
    "gate",
    "hypothesise",
    "interpret",
    "judge",
    "observe",
    "plan",
    "rewrite",
    "synthesise",
)
