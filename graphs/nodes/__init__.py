"""The nodes of the graph: plain functions `State, Runtime[Context] → Update`."""

from graphs.nodes.align import align
from graphs.nodes.apply import apply
from graphs.nodes.audit import audit
from graphs.nodes.batch import batch
from graphs.nodes.branch import branch, reread
from graphs.nodes.clarify import ask, clarify, rewrite
from graphs.nodes.classify import assume, classify
from graphs.nodes.decide import decide
from graphs.nodes.feedback import feedback
from graphs.nodes.give_answer import answer
from graphs.nodes.ground import ground
from graphs.nodes.interpret import interpret
from graphs.nodes.judge import judge
from graphs.nodes.narrow import narrow
from graphs.nodes.observe import observe
from graphs.nodes.plan import plan
from graphs.nodes.rank import rank
from graphs.nodes.records import records
from graphs.nodes.route import route
from graphs.nodes.verify import verify
from graphs.nodes.weigh import weigh

__all__ = (
    "ALL",
    "align",
    "answer",
    "apply",
    "ask",
    "assume",
    "audit",
    "batch",
    "branch",
    "clarify",
    "classify",
    "decide",
    "feedback",
    "ground",
    "interpret",
    "judge",
    "narrow",
    "observe",
    "plan",
    "rank",
    "records",
    "reread",
    "rewrite",
    "route",
    "verify",
    "weigh",
)

ALL = (
    interpret,
    classify,
    ground,
    weigh,
    clarify,
    ask,
    rewrite,
    assume,
    branch,
    reread,
    route,
    records,
    decide,
    rank,
    narrow,
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
