"""The nodes of the graph: plain functions `State, Runtime[Context] → Update`."""

from graphs.nodes.align import align
from graphs.nodes.answer import answer
from graphs.nodes.apply import apply
from graphs.nodes.audit import audit
from graphs.nodes.batch import batch
from graphs.nodes.clarify import ask, clarify, rewrite
from graphs.nodes.classify import assume, classify
from graphs.nodes.decide import decide
from graphs.nodes.feedback import feedback
from graphs.nodes.interpret import interpret, reread
from graphs.nodes.judge import judge
from graphs.nodes.observe import observe
from graphs.nodes.plan import plan
from graphs.nodes.verify import verify

__all__ = (
    "ALL",
    "align",
    "answer",
    "apply",
    "ask",
    "assume",
    "audit",
    "batch",
    "clarify",
    "classify",
    "decide",
    "feedback",
    "interpret",
    "judge",
    "observe",
    "plan",
    "reread",
    "rewrite",
    "verify",
)

ALL = (
    interpret,
    classify,
    clarify,
    ask,
    rewrite,
    assume,
    reread,
    decide,
    plan,
    apply,
    observe,
    feedback,
    batch,
    judge,
    audit,
    verify,
    align,
    answer,
)
