"""What the rules see in a question before a model is asked, and whether they could read it."""

from agent.corpus import CorpusView
from agent.question import Interpretation
from agent.reasoners.rules.ambiguity.classify import classify
from agent.reasoners.rules.language.words import tokenize
from agent.reasoners.rules.reading.followup import without_opener
from agent.reasoners.rules.reading.openers import read_opener
from agent.taxonomy import AmbiguityCode

__all__ = ("screen",)


def screen(
    question: str, interpretation: Interpretation, corpus: CorpusView
) -> tuple[AmbiguityCode, ...] | None:
    """Return the kinds of ambiguity that the rules see; None where they cannot tell.

    They read questions that open as counts, lists and measures do. To see nothing in one that they
    cannot read is no sign of clearness.
    """
    if read_opener(tokenize(without_opener(question))) is None:
        return None
    reply = classify({"question": question, "interpretation": interpretation, "corpus": corpus})
    return tuple(dict.fromkeys(each.code for each in reply.ambiguities))
