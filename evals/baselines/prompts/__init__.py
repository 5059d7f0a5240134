"""What the baselines say to a model: one Markdown file a prompt, one typed function each."""

from evals.baselines.prompts.answering import answer, answer_unread, merge, note
from evals.baselines.prompts.searching import act, assess, delegate, diversify, verify

__all__ = (
    "act",
    "answer",
    "answer_unread",
    "assess",
    "delegate",
    "diversify",
    "merge",
    "note",
    "verify",
)
