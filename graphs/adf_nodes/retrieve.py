"""retrieve: passages for each reading, by two pathways (ADF, section 4.5)."""

from langgraph.runtime import Runtime

from agent.adf import AdfOptions, AdfState, AdfUpdate, Intent
from agent.counted import counted
from graphs.adf_nodes.step import noted
from graphs.context import Context
from tools.corpus.corpus import Corpus
from tools.retrieval import both_ways
from tools.retrieval import retrieve as ranked

__all__ = ("retrieve",)


def retrieve(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
    """Retrieve R(q) and R(d̂) for each reading and fuse them; a clear question is one reading."""
    corpus, options = runtime.context.corpus, state.options
    if not state.intents:
        # The first retrieval was for this very question: its best k are those of a new one.
        chunks = state.first[: options.k]
        alone = Intent(
            label="as asked",
            question=state.question,
            chunks=state.first,
            why="no second reading",
            retrieved=chunks,
        )
        steps = noted(
            state, "retrieve", f"{counted(len(chunks), 'passage')} for the question as asked"
        )
        return {"intents": (alone,), "steps": steps}
    pathways = [_pathways(each, corpus, options) for each in state.intents]
    if options.pooling == "pool":
        every = [ranking for both in pathways for ranking in both]
        pool = both_ways(every, options.k, eta=options.eta)
        found = [_within(pool, both) for both in pathways]
    else:
        found = [both_ways(both, options.k, eta=options.eta) for both in pathways]
    return {
        "intents": tuple(
            each.model_copy(update={"retrieved": tuple(chunks)})
            for each, chunks in zip(state.intents, found, strict=True)
        ),
        "steps": noted(state, "retrieve", _told(pathways, found)),
    }


def _pathways(intent: Intent, corpus: Corpus, options: AdfOptions) -> list[list[int]]:
    """Return the rankings of the direct and of the latent pathway."""
    texts = [text for text in (intent.question, intent.hypothesis) if text]
    return [
        ranked(corpus, text, 2 * options.k, mode=options.retrieval, eta=options.eta)
        for text in texts
    ]


def _within(pool: list[int], rankings: list[list[int]]) -> list[int]:
    """Return what of the pool a reading's pathways found."""
    own = {chunk for ranking in rankings for chunk in ranking}
    return [chunk for chunk in pool if chunk in own]


def _told(pathways: list[list[list[int]]], found: list[list[int]]) -> str:
    shared = total = 0
    for both in pathways:
        if len(both) == 2:
            shared += len(set(both[0]) & set(both[1]))
            total += len(set(both[0]) | set(both[1]))
    overlap = f"; the pathways share {shared} of {total}" if total else ""
    shown = len({chunk for chunks in found for chunk in chunks})
    return f"{counted(shown, 'passage')} for {counted(len(found), 'reading')}{overlap}"
