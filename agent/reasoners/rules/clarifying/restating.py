"""A question put anew after a clarification: alternatives and denials written out, then read."""

import re
from collections.abc import Sequence
from typing import Final

from agent.corpus_view import CorpusView
from agent.reasoners.rules.clarifying.entry_counts import entries, spellings
from agent.reasoners.rules.clarifying.plain_words import plainly
from agent.reasoners.rules.language.words import AUXILIARIES, RELATIVES, tokenize
from agent.reasoners.rules.reading.alternatives import WAYS, How, Parts, composed
from agent.reasoners.rules.reading.interpret import read_question
from agent.replies import InterpretReply

__all__ = ("reread",)

_NOT_BOTH: Final = re.compile(
    r"^(?P<head>.+?)\s+(?:that )?(?P<aux>do|does|did|have|has|had|are|is|were|was)"
    r"(?: not|n['’]t)(?P<verb>(?: [\w-]+)?) (?:both|all of)(?: these)?:? (?P<list>.+)$",
    re.IGNORECASE,
)
_ONE_OF: Final = re.compile(
    r"^(?P<head>.+?)\s+(?P<verb>lack|have|has|name|list|give) (?P<how>at least one|none|all|any) "
    r"of (?:the|these|those)(?: (?:two|three|four|five|six|\d+))?"
    r"(?: (?:headers|fields|things|items))?:? (?P<list>.+)$",
    re.IGNORECASE,
)
_EITHER: Final = re.compile(
    r"^(?P<head>.+?)\s+(?P<verb>are|were|is|was) either (?P<one>.+?),? or (?P<other>.+)$",
    re.IGNORECASE,
)
_AGAIN: Final = re.compile(
    r"^(?P<head>.+?)\s+(?P<verb>lack|have no|do not have|are not|are by|are in|are from|are)"
    r" (?P<one>.+?),? or (?P<again>lack|have no|do not have|are not|are by|by|in|from|are) "
    r"(?P<other>.+)$",
    re.IGNORECASE,
)
_MERGED: Final = re.compile(
    r",?\s+(?:remain |are there |left )?(?:if|when|with|counting|after)?\s*(?:the )?"
    r"(?:spelling |name |spelt )?(?:variants|spellings|names)[^?]*?\b(?:merged|as one|once|are one)"
    r"\b(?:\s*\([^()]*\))?",
    re.IGNORECASE,
)
_DENIED: Final = re.compile(r"\bnon-(?=\w)", re.IGNORECASE)
_LACKING: Final[dict[How, How]] = {
    "any": "not all", "all": "none", "none": "all", "not all": "not all",
}  # fmt: skip
"""What lacking in a way is, said of having."""


def reread(text: str, corpus: CorpusView) -> InterpretReply:
    """Read a whole question as a person or an option puts it to leave nothing open."""
    text = plainly(text)
    counted = entries(text, corpus) or spellings(text, corpus)
    if counted is not None:
        return counted
    merged = _MERGED.search(text)
    if merged is not None:
        reply = reread(f"{text[: merged.start()]}{text[merged.end() :]}", corpus)
        return _assuming(reply, "Spelling variants of a name are one.")
    parts = _parts(text)
    return read_question(text, corpus) if parts is None else composed(parts, corpus, read_question)


def _parts(text: str) -> Parts | None:
    """Take a question with written-out alternatives apart."""
    bare = text.rstrip("?. ")
    if (found := _NOT_BOTH.match(bare)) is not None and len(items := _things(found["list"])) > 1:
        verb = found["verb"].strip() or found["aux"]
        return Parts(found["head"], tuple(f"{verb} {item}" for item in items), "not all")
    if (found := _ONE_OF.match(bare)) is not None and len(items := _items(found["list"])) > 1:
        lacking = found["verb"].casefold() == "lack"
        verb = "have" if lacking else found["verb"]
        how = WAYS[found["how"].casefold()]
        if lacking:
            how = _LACKING[how]
        return Parts(found["head"], tuple(f"{verb} {item}" for item in items), how)
    return _clauses(bare)


def _items(text: str) -> list[str]:
    """Cut `A, B and C`; a comma alone also joins. `or` inside an item stays.

    >>> _items("a cook, a host or guide and the menu")
    ['a cook', 'a host or guide', 'the menu']
    """
    return [each.strip() for each in re.split(r",\s*(?:and\s+)?|\s+and\s+", text) if each.strip()]


def _things(text: str) -> list[str]:
    """Cut a list that nothing follows; else nothing.

    >>> _things("a cook and a menu"), _things("a cook and a menu are open")
    (['a cook', 'a menu'], [])
    """
    tail = any(token.low in AUXILIARIES | RELATIVES for token in tokenize(text))
    return [] if tail else _items(text)


def _clauses(text: str) -> Parts | None:
    """Read `are either A or B`, `lack A or lack B`, `are by A or by B and dated 2013`."""
    if (found := _EITHER.match(text)) is not None:
        ways = [f"{found['verb']} {found['one']}", f"{found['verb']} {found['other']}"]
        if any(_DENIED.search(way) for way in ways) or " and " in text:
            return Parts(found["head"], tuple(_DENIED.sub("not ", way) for way in ways), "any")
    if (found := _AGAIN.match(text)) is not None:
        verb, again = found["verb"].casefold(), found["again"].casefold()
        repeated = verb.endswith(again) and (again != "are" or " and " in text)
        if repeated and (again not in {"by", "in", "from"} or " and " in found["other"]):
            lead = verb if verb == again or verb.endswith(f" {again}") else again
            return Parts(
                found["head"], (f"{verb} {found['one']}", f"{lead} {found['other']}"), "any"
            )
    return None


def _assuming(reply: InterpretReply, *sentences: str) -> InterpretReply:
    new: Sequence[str] = [each for each in sentences if each not in reply.assumptions]
    return reply.model_copy(update={"assumptions": [*reply.assumptions, *new]})
