"""align: make mentions into entities; sure pairs by rule, doubtful ones by the reasoner."""

from collections import Counter
from collections.abc import Sequence

from langgraph.runtime import Runtime

import prompts
from agent.errors import LimitReached
from agent.reasoner import Failure
from agent.replies import AlignReply
from agent.state import State, Update
from graphs.asking import trace_prompt
from graphs.context import Context
from graphs.scope import scope
from tools.alignment import candidate_pairs, merge

__all__ = ("align",)

_PAIRS = 40


def align(state: State, runtime: Runtime[Context]) -> Update:
    """Merge the names found; documents and field items are their own entities."""
    context, reading = runtime.context, state.interpretation
    if reading is None or reading.grain == "document" or reading.entity_field:
        return {}
    found = context.store.findings(scope(state))
    names = Counter(each.entity for each in found if each.by != "metadata")
    quotes = [each.quote for each in found]
    blocks = candidate_pairs(names, rule=reading.merge, quotes=quotes)
    same, doubtful, stopped = _asked(blocks.grey, reading.entity_type, runtime)
    clusters = merge(names, [*blocks.sure, *same])
    context.store.put_entities(scope(state), {each.name: each.aliases for each in clusters})
    if not doubtful:
        return {}
    told = f"{doubtful} pairs of names could not be compared and were kept apart"
    return {"warnings": (*state.warnings, told), "stopped": state.stopped or stopped}


def _asked(
    pairs: Sequence[tuple[str, str]], entity_type: str, runtime: Runtime[Context]
) -> tuple[list[tuple[str, str]], int, str]:
    """Return the pairs called the same, how many got no verdict, and the limit reached, if any."""
    parts = [pairs[start : start + _PAIRS] for start in range(0, len(pairs), _PAIRS)]
    sent = [prompts.align(entity_type=entity_type, pairs=part) for part in parts]
    if sent:
        trace_prompt(runtime, sent[0])
    same: list[tuple[str, str]] = []
    judged, stopped = 0, ""
    replies = runtime.context.reasoner.ask_many(sent, AlignReply)
    for part, reply in zip(parts, replies, strict=True):
        if isinstance(reply, Failure):
            stopped = str(reply.error) if isinstance(reply.error, LimitReached) else stopped
            continue
        verdicts = {each.pair: each.same for each in reply.pairs}
        judged += len(set(verdicts) & set(range(1, len(part) + 1)))
        same.extend(pair for number, pair in enumerate(part, 1) if verdicts.get(number))
    return same, len(pairs) - judged, stopped
