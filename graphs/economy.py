"""What it pays to do: to filter and audit, or to read everything at once."""

from collections.abc import Sequence

import numpy as np

import prompts
from agent.history import Step
from agent.question import Condition, Interpretation
from agent.state import State
from graphs.context import Context
from tools.audit.choice import Choice, Pricing, Search, Work, choose
from tools.batching import Limits, batch_limits
from tools.corpus.tokens import count_tokens

__all__ = (
    "allowed_audit",
    "cheaper_way",
    "filter_steps",
    "passage_tokens",
    "read_at_once",
    "request_limits",
)

_PAID = 100
_FREE = 5000
"""A few seconds of the embedded rules."""
_FILTERING = Work(calls=4, tokens=8000)
"""Two filter calls, each with the look at both sides of it."""
_CANDIDATES = 0.2
"""The share of the chunks that is likely read before the audit."""
_SCHEMA = 500
"""Tokens of the reply's schema, at most."""
_MARKED = 120
"""Tokens of a passage's markers, headings and neighbouring words, about."""
_ACCOUNTED = 10
"""Tokens of a passage's place in the reply."""
_QUOTED = 100
"""Tokens of a piece of evidence in the reply, about."""
_OVERHEAD = 1500
"""Tokens of a judging request besides its passages: instructions, conditions, reply."""


def read_at_once(state: State, context: Context) -> str:
    """Say why all candidates are read at once; empty where filtering and ranking may save some."""
    size = len(context.store.ids(state.snapshot))
    if size <= context.policy.few_candidates:
        return f"{size} candidates are few enough to read them all"
    filtered = any(step.after != step.before for step in filter_steps(state))
    if filtered or not (context.reasoner.paid and context.policy.scan):
        return ""
    way = cheaper_way(state, context)
    return way.why if way.scan else ""


def filter_steps(state: State) -> list[Step]:
    """Return the filter calls that the reasoner chose; what fields decide is not its choice."""
    return [step for step in state.history if not step.certain]


def cheaper_way(state: State, context: Context) -> Choice:
    """Compare reading all candidates with filtering, reading some and auditing the rest."""
    ids = np.array(context.store.ids(state.snapshot), dtype=np.int64)
    return choose(
        len(ids),
        int(context.corpus.chunk_tokens[ids].sum()),
        Search(filtering=_FILTERING, candidates=_CANDIDATES, audit=allowed_audit(context)),
        Pricing(call_passages=passage_tokens(context), call_overhead=_OVERHEAD),
    )


def allowed_audit(context: Context) -> int:
    """Return how many chunks an audit may draw: more where reading them costs nothing."""
    if context.policy.audit is not None:
        return context.policy.audit
    return _PAID if context.reasoner.paid else _FREE


def passage_tokens(context: Context) -> int:
    """Return how many passage tokens fit a request: the policy's, or half of a small context."""
    room = context.reasoner.context_tokens - context.reasoner.reply_tokens
    return max(1, min(context.policy.batch_tokens, room // 2))


def request_limits(
    context: Context, reading: Interpretation, conditions: Sequence[Condition]
) -> Limits:
    """Return what one judging request may hold, prompt and reply included, in the model's tokens.

    Raises:
        SettingsError: the model's context has no room for a passage.
    """
    empty = prompts.judge(
        conditions=tuple(conditions),
        entity_type=reading.entity_type,
        grain=reading.grain,
        measure=reading.measure,
        passages=(),
        corpus=context.corpus,
    )
    limits = batch_limits(
        context=context.reasoner.context_tokens,
        reply=context.reasoner.reply_tokens,
        overhead=count_tokens(empty.text) + _SCHEMA,
        per_passage=_MARKED,
        reply_per_passage=_ACCOUNTED,
        reply_per_condition=_QUOTED,
        conditions=len(conditions),
    )
    mean = float(context.corpus.chunk_tokens.mean())
    share = mean / (mean + limits.per_passage)
    own = max(1, min(context.policy.batch_tokens, int(limits.tokens * share)))
    marked = max(1, (limits.tokens - own) // limits.per_passage)
    return Limits(tokens=own, passages=min(limits.passages or marked, marked))
