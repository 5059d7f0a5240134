"""What is said to a model: one Markdown file a prompt, one typed function each."""

from prompts.filtering import observe, plan
from prompts.judging import align, judge
from prompts.questions import clarify, classify, interpret, rewrite

__all__ = ("align", "clarify", "classify", "interpret", "judge", "observe", "plan", "rewrite")
