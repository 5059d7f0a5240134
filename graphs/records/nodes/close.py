"""close: a group's schema is done; on to the next group."""

from langgraph.runtime import Runtime

from agent.records.induction import InductionState, InductionUpdate
from graphs.context import Context

__all__ = ("close",)


def close(state: InductionState, runtime: Runtime[Context]) -> InductionUpdate:  # noqa: ARG001
    """Keep the schema; its kinds get the group's examples, by which other documents are known."""
    update: InductionUpdate = {
        "at": state.at + 1,
        "round": 0,
        "quiet": 0,
        "schema": None,
        "troubles": (),
        "tried": (),
    }
    if state.schema is not None and state.schema.kinds:
        examples = state.groups[state.at].examples
        kinds = tuple(
            kind if kind.documents else kind.model_copy(update={"documents": examples})
            for kind in state.schema.kinds
        )
        done = state.schema.model_copy(update={"kinds": kinds})
        update["drafts"] = (*state.drafts, done)
    return update
