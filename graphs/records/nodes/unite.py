"""unite: one schema from those of all groups."""

from langgraph.runtime import Runtime

from agent.records.induction import InductionState, InductionUpdate, SchemaChange
from agent.records.record_schema import Schema
from graphs.context import Context
from tools.records.uniting import unite as united

__all__ = ("unite",)


def unite(state: InductionState, runtime: Runtime[Context]) -> InductionUpdate:  # noqa: ARG001
    """Join the kinds that groups have in common."""
    result, reasons = united(state.drafts)
    before = [kind.name for draft in state.drafts for kind in draft.kinds]
    after = [kind.name for kind in result.kinds]
    if sorted(before) == sorted(after) and not reasons:
        return {"result": result}
    change = SchemaChange(
        step="unite",
        group=len(state.drafts),
        round=0,
        why=f"{len(before)} kinds of {len(state.drafts)} groups became {len(after)}: "
        + "; ".join([", ".join(after), *reasons]),
    )
    return {"result": Schema(kinds=result.kinds), "history": (*state.history, change)}
