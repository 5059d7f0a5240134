"""A sub-question without a model: the question, narrowed by what sets its passages apart."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, cast

from agent.corpus_view import CorpusView
from agent.evidence import Passage
from agent.reasoners.rules.senses.telling import content, distinctive
from agent.replies import DecomposeReply

__all__ = ("decompose",)

_NUMBERING: Final = re.compile(
    r"\A\s*(?:(?:article|section|part|chapter|appendix|annex|clause)\s+[\divxlc]+(?:\.\d+)*\b|"
    r"\d+(?:\.\d+)*|[ivxlc]+(?=[.):])|[a-z](?=[.)]))[.):]*(?:\s+|\Z)",
    re.IGNORECASE,
)
_MOST_WORDS: Final = 12
_TERMS: Final = 3


def decompose(values: Mapping[str, object]) -> DecomposeReply:
    """Narrow a question by its group's title or heading, or by words that only this group has.

    Abstains where no passage has a word of the question, or nothing sets the group apart.

    Args:
        values: of the prompt `decompose`: question, passages, others, corpus.
    """
    question = cast("str", values["question"])
    own = cast("Sequence[Passage]", values["passages"])
    groups = cast("Sequence[Sequence[Passage]]", values["others"])
    others = [passage for group in groups for passage in group]
    asked = {root for _, root in content(question)}
    if not any(asked & {root for _, root in content(_whole(each))} for each in own):
        return _abstained("no passage has a word of the question")
    name = _shared_name(own, others, asked)
    if name:
        return _narrowed(question, name, f"most of the passages stand under “{name}”")
    corpus = cast("CorpusView", values["corpus"])
    terms = ", ".join(distinctive(own, others, question, corpus)[:_TERMS])
    if not terms:
        return _abstained("nothing sets the passages apart")
    return _narrowed(question, terms, f"what they say of it, and others do not: {terms}")


def _abstained(why: str) -> DecomposeReply:
    return DecomposeReply(reason=why, label="", question=None)


def _narrowed(question: str, by: str, why: str) -> DecomposeReply:
    bare = " ".join(question.split()).rstrip("?!. ")
    return DecomposeReply(reason=why, label=by, question=f"{bare} ({by})?")


def _whole(passage: Passage) -> str:
    return " ".join((passage.title, *passage.headings, passage.text))


def _shared_name(own: Sequence[Passage], others: Sequence[Passage], asked: set[str]) -> str:
    """Return the title or heading under which most of the group stands, and nothing else does.

    One that only repeats words of the question tells no sense apart.
    """
    elsewhere = {name.casefold() for each in others for name in _names(each)}
    counted = Counter(name for each in own for name in dict.fromkeys(_names(each)))
    for name, times in counted.most_common():
        fits = 2 * times > len(own) and name.casefold() not in elsewhere
        roots = {root for _, root in content(name)}
        if fits and roots - asked and len(name.split()) <= _MOST_WORDS:
            return name
    return ""


def _names(passage: Passage) -> tuple[str, ...]:
    """Return what a passage stands under, the widest first; a file's name is no title."""
    named = passage.title != passage.document.rpartition("/")[2]
    names = (*([passage.title] if named else []), *passage.headings)
    return tuple(bare for name in names if (bare := _bare(name)))


def _bare(name: str) -> str:
    """Return a heading without its number.

    >>> _bare("IV. Term"), _bare("Section 4.4: Termination of Contract"), _bare("Part III")
    ('Term', 'Termination of Contract', '')
    """
    return " ".join(_NUMBERING.sub("", name).split()).strip(" .:-–—")
