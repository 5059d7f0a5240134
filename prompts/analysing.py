"""The prompt that plans an analysis: which documents, what to copy out of each."""

from collections.abc import Sequence

from agent.corpus import CorpusView
from agent.prompt_values import AnalyseValues
from agent.reasoner import Prompt
from agent.records.induction import SampleDocument
from prompts.lookup import ranges
from prompts.plain_text import plain
from prompts.records import between_marks
from prompts.template import render
from prompts.unforgeable import unforgeable
from prompts.wording import collection

__all__ = ("analyse",)


def analyse(*, question: str, corpus: CorpusView, documents: Sequence[SampleDocument]) -> Prompt:
    """Ask for the plan of an analysis; replied with `AnalyseReply`.

    Args:
        question: as asked.
        corpus: what is searched.
        documents: a sample.
    """
    nonce = unforgeable([each.text for each in documents])
    shown = {
        "question": plain(question),
        "collection": collection(corpus),
        "ranges": ranges(corpus),
        "nonce": nonce,
        "documents": "\n\n".join(between_marks(each, nonce) for each in documents),
    }
    values = AnalyseValues(
        question=question,
        corpus=corpus,
        documents=tuple(documents),
    )
    return render("analyse", shown, values)
