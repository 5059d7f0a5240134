"""The prompts that look for ambiguity, one for each family of the taxonomy."""

from typing import Final

from agent.ambiguity import Coherence
from agent.corpus import CorpusView
from agent.prompt_values import ClassifyValues
from agent.question import Interpretation
from agent.reasoner import Prompt
from agent.taxonomy import TAXONOMY, Family, family_of
from prompts.lookup import looked_up, ranges
from prompts.plain_text import plain
from prompts.template import render
from prompts.wording import collection, interpretation_line

__all__ = ("classify",)

_TEMPLATES: Final[dict[Family, str]] = {
    "A": "classify-boundary",
    "B": "classify-structure",
    "C": "classify-granularity",
}


def classify(
    *,
    question: str,
    interpretation: Interpretation,
    corpus: CorpusView,
    coherence: Coherence | None,
    family: Family,
) -> Prompt:
    """Ask which ambiguities of one family a question shows; replied with `ClassifyReply`."""
    return render(
        _TEMPLATES[family],
        {
            "question": plain(question),
            "interpretation": interpretation_line(interpretation),
            "collection": collection(corpus),
            "coherence": _first_search(coherence),
            "taxonomy": "\n".join(
                f"- {kind.code} {kind.name}: {kind.definition} Shown by: {kind.shown_by}."
                for kind in TAXONOMY.values()
                if family_of(kind.code) == family
            ),
            **_evidence(family, question, interpretation, corpus),
        },
        ClassifyValues(
            question=question,
            interpretation=interpretation,
            corpus=corpus,
            coherence=coherence,
            family=family,
        ),
    )


def _evidence(
    family: Family, question: str, reading: Interpretation, corpus: CorpusView
) -> dict[str, str]:
    """Return what a family is looked up for: limits need ranges, names need the vocabulary."""
    if family == "A":
        return {"ranges": ranges(corpus)}
    return {"lookup": looked_up(question, reading, corpus)} if family == "C" else {}


def _first_search(coherence: Coherence | None) -> str:
    if coherence is None:
        return "No first search was made."
    found = {
        "clear": "are on one topic",
        "uncertain": "are spread widely",
        "ambiguous": "fall into separate topics",
    }
    return f"The passages that a first search found {found[coherence.state]}."
