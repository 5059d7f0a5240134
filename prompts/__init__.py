"""What is said to a model: one Markdown file a prompt, one typed function each."""

from prompts.aligning import align
from prompts.filtering import observe, plan
from prompts.judging import judge
from prompts.questions import clarify, classify, interpret, rewrite

__all__ = ("align", "clarify", "classify", "interpret", "judge", "observe", "plan", "rewrite")
