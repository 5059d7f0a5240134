"""mend: a schema corrected once by what its trial showed."""

from langgraph.runtime import Runtime

from agent.records.induction import InductionState, InductionUpdate
from graphs.context import Context
from graphs.records.nodes.draw import redrawn, samples

__all__ = ("mend",)


def mend(state: InductionState, runtime: Runtime[Context]) -> InductionUpdate:
    """Ask for the schema with its troubles mended, showing the documents in which they came up.

    Raises:
        ProviderRejected: the server will not serve the request as it is.
    """
    corpus = runtime.context.corpus
    unread = {name for each in state.troubles if each.trouble == "unread" for name in each.values}
    first = [each for each in state.tried if corpus.documents[each] in unread]
    others = [each for each in state.tried if each not in first]
    shown = [*first, *others]
    questions = state.questions[: state.options.questions]
    documents = samples(runtime, shown[: state.options.documents], questions)
    update = redrawn(state, runtime, documents, questions=questions, troubles=state.troubles)
    return {**update, "troubles": ()}
