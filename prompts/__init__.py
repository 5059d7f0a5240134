"""What is said to a model: one Markdown file a prompt, one typed function each."""

from prompts.aligning import align
from prompts.analysing import analyse
from prompts.classifying import classify
from prompts.filtering import observe, plan
from prompts.judging import judge
from prompts.querying import query
from prompts.questions import clarify, interpret, rewrite
from prompts.readings import decompose, gate, hypothesise, synthesise
from prompts.records import extract, induce

__all__ = (
    "align",
    "analyse",
    "clarify",
    "classify",
    "decompose",
    "extract",
    "gate",
    "hypothesise",
    "induce",
    "interpret",
    "judge",
    "observe",
    "plan",
    "query",
    "rewrite",
    "synthesise",
)
