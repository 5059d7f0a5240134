"""What the rules see in a question before a model is asked, and whether they could read it."""

from agent.corpus_view import CorpusView
from agent.question import Interpretation
from agent.reasoners.rules.ambiguity.classify import classify
from agent.reasoners.rules.ambiguity.doubt import Doubt
from agent.reasoners.rules.ambiguity.loose_ends import loose_ends
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
    cannot read, or that has loose ends, is no sign of clearness.
    """
    asked = without_opener(question)
    if read_opener(tokenize(asked)) is None:
        return None
    reply = classify({"question": question, "interpretation": interpretation, "corpus": corpus})
    seen = tuple(dict.fromkeys(each.code for each in reply.ambiguities))
    if not seen and loose_ends(Doubt.of(asked, interpretation, corpus)):
        return None
    return seen
