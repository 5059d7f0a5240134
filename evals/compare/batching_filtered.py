"""The candidates that the product itself comes to, before anything is judged."""

from typing import TYPE_CHECKING

from evals.questions import Record

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

__all__ = ("filtered",)


def filtered(record: Record, corpus: "Corpus") -> list[int]:
    """Ask the question of the main graph by its annotation and stop once it has batched.

    Raises:
        HeadcountError: whatever the graph raises.
    """
    from agent.policy import Policy
    from agent.state import Question
    from evals.annotated import GoldReasoner
    from graphs import build_graph
    from graphs.context import Context

    corpus.runs.mkdir(parents=True, exist_ok=True)
    context = Context(
        corpus=corpus,
        reasoner=GoldReasoner(record, corpus),
        policy=Policy(disambiguation="none", scan=False),
    )
    with context.store:
        asked = Question(question=record.question)
        snapshot = ""
        for step in build_graph().stream(asked, context=context, stream_mode="updates"):
            for update in step.values():
                snapshot = (update or {}).get("snapshot", snapshot)
            if "batch" in step:
                break
        return sorted(context.store.ids(snapshot)) if snapshot else []
