"""Questions for the entries of a field: every one in every document, or the different ones."""

import re
from typing import Final

from agent.corpus_view import CorpusView
from agent.reasoners.rules.reading.facts import Facts
from agent.reasoners.rules.reading.interpret import read_question
from agent.reasoners.rules.reading.labels import Labels
from agent.replies import InterpretReply, MeasureReply

__all__ = ("entries", "spellings")

_LISTED: Final = re.compile(
    r"^how many (?P<unit>[\w\s]+?) (?:are|were|is) (?:listed|named|given|written|there) "
    r"in (?:the )?(?P<field>[\w-]+(?: [\w-]+)?) (?:headers?|fields?)"
    r"(?: (?:of|in|among) (?:the )?(?P<docs>.+?))?\??$",
    re.IGNORECASE,
)
_PAIRS: Final = re.compile(
    r"^how many \((?P<one>[\w-]+), ?(?P<other>[\w-]+)\) pairs (?:are )?(?:there )?(?:are )?"
    r"(?:among|in|of|for) (?:the )?(?P<docs>.+?)\??$",
    re.IGNORECASE,
)
_STRINGS: Final = re.compile(
    r"^how many (?:distinct|different|unique) [\w\s]*?(?:strings|spellings|values|names) "
    r"(?:occur|are|appear|stand|there|written|given|are given|are written)+ in (?:the )?"
    r"(?P<field>[\w-]+(?: [\w-]+)?) (?:headers?|fields?)\??$",
    re.IGNORECASE,
)


def entries(text: str, corpus: CorpusView) -> InterpretReply | None:
    """Read a question for the number of a field's entries, counted in every document."""
    found = _LISTED.match(text) or _PAIRS.match(text)
    if found is None:
        return None
    groups = found.groupdict()
    names = [groups.get("field"), groups.get("one"), groups.get("other")]
    facts = next((each for name in names if name and (each := _field(name, corpus))), None)
    if facts is None or facts.field.type != "list":
        return None
    docs = groups.get("docs") or "documents"
    reply = read_question(f"How many {docs} are there?", corpus)
    words = f"number of {facts.name} entries"
    return reply.model_copy(
        update={
            "operation": "sum",
            "measure": MeasureReply(
                text=words, field=facts.name, of="length", unit=None, places=[]
            ),
            "restated": f"Sum the {words}: {reply.restated}",
        }
    )


def spellings(text: str, corpus: CorpusView) -> InterpretReply | None:
    """Read a question for the different values of a field as they are written."""
    found = _STRINGS.match(text)
    facts = _field(found["field"], corpus) if found is not None else None
    if facts is None:
        return None
    reply = read_question(f"How many different {facts.name}s are there?", corpus)
    if reply.entity_field != facts.name:
        return None
    told = [*reply.assumptions, "Each spelling counts by itself."]
    return reply.model_copy(update={"assumptions": told})


def _field(name: str, corpus: CorpusView) -> Facts | None:
    low = name.casefold().replace("-", " ")
    return next(
        (
            each
            for each in Labels.of(corpus).fields
            if each.name.casefold().replace("-", " ") == low
        ),
        None,
    )
