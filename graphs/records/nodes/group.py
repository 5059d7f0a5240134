"""group: which documents are alike, and in which order they are looked at."""

import numpy as np
from langgraph.runtime import Runtime

from agent.errors import CorpusError
from agent.records.induction import Group, InductionState, InductionUpdate
from graphs.context import Context
from graphs.records.document_rows import document_rows
from tools.records.kinds import examples_of, group_documents
from tools.records.sampling import reading_order

__all__ = ("group",)

_MOST = 500
"""Documents of a group that may be looked at."""


def group(state: InductionState, runtime: Runtime[Context]) -> InductionUpdate:
    """Part the corpus into groups of alike documents.

    Raises:
        CorpusError: the corpus has no documents.
    """
    corpus, options = runtime.context.corpus, state.options
    if not corpus.documents:
        raise CorpusError("the corpus has no documents; index some with `headcount index`")
    rows = document_rows(corpus)
    found = group_documents(rows) if options.grouped else (np.arange(len(rows)),)
    groups = []
    for members in found:
        order = [int(members[place]) for place in reading_order(rows[members], options.documents)]
        examples = () if len(found) == 1 else examples_of(rows, members, options.documents)
        names = tuple(corpus.documents[each] for each in examples)
        groups.append(Group(size=len(members), order=tuple(order[:_MOST]), examples=names))
    return {"groups": tuple(groups)}
