"""Plan an analysis without a model: every document is read for all that its structure shows."""

from collections.abc import Mapping
from typing import cast

from agent.errors import MalformedReply
from agent.reasoners.rules.language.roots import roots
from agent.reasoners.rules.language.words import tokenize
from agent.reasoners.rules.records.induce import induce
from agent.records.analysis import AnalyseReply
from agent.records.record_replies import AttributeReply, KindReply

__all__ = ("analyse",)


def analyse(values: Mapping[str, object]) -> AnalyseReply:
    """Return the kind whose attributes the question speaks of most; no document is left out.

    Restrictions cost nothing to leave to the query where reading costs nothing.

    Raises:
        MalformedReply: the documents show no structure that could be read.
    """
    drawn = induce({"documents": values["documents"]})
    if not drawn.kinds:
        raise MalformedReply(
            f"{drawn.why} Without a model only text with a visible structure can be analysed"
        )
    asked = _roots(cast("str", values["question"]))
    kind = max(drawn.kinds, key=lambda each: _spoken_of(each, asked))
    return AnalyseReply(why=drawn.why, restrictions=[], kind=kind)


def _spoken_of(kind: KindReply, asked: frozenset[str]) -> int:
    return sum(bool(_named(each) & asked) for each in kind.attributes)


def _named(attribute: AttributeReply) -> frozenset[str]:
    return _roots(" ".join([attribute.name.replace("_", " "), *attribute.labels]))


def _roots(text: str) -> frozenset[str]:
    return frozenset(roots(token.low)[1] for token in tokenize(text))
