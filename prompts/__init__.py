"""What is said to a model: one Markdown file a prompt, one typed function each."""

from prompts.adf_prompts import decompose, gate, hypothesise, synthesise
from prompts.question_prompts import clarify, classify, interpret, rewrite
from prompts.records_prompts import analyse, extract, induce, query
from prompts.search_prompts import align, judge, observe, plan

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
