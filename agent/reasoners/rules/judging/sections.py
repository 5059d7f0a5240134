"""Conditions on headings: `have a section headed “Fees”`, `contain the heading “Fees”`."""

import re
from collections.abc import Iterator
from typing import Final

from agent.evidence import Passage
from agent.question import Condition
from agent.reasoners.rules.judging.proof import Proof, sentence_spans

__all__ = ("headed_proofs", "read_headings")

_HEADED: Final = re.compile(
    r"(?:\w+ )??(?:(?:an?|the|any|one|its|their|own|separate) )*"
    r"(?:(?:sub)?(?:section|chapter|part|paragraph|article|clause)s? "
    r"(?:with |under )?(?:(?:that|which) (?:is|are) )?"
    r"(?:headed|titled|entitled|called|named|(?:the|an?) (?:heading|title))|(?:sub)?headings?)"
    r",? (?:as |of |reading )?(?P<titles>.+)",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"[\"“„«]([^\"“”„«»]+)[\"”“»]|(?<!\w)['‘]([^'‘’]+)['’](?!\w)")
_BETWEEN: Final = re.compile(r"(?:\s|,|\bor\b|\beither\b)*")
_NUMBERING: Final = re.compile(
    r"(?:(?:section|article|chapter|part|appendix)\s+)?"
    r"(?:\d+(?:\.\d+)*[.):]?|[ivxlc]+[.):]|\([a-z0-9]{1,4}\)|[a-z][.)])[\s:–—-]+"
)
_LINE: Final = re.compile(r"[^\n]+")
_RULE: Final = re.compile(r"\s*([=\-~^\"'`#*+.:_])\1{2,}\s*")


def read_headings(condition: Condition) -> frozenset[str]:
    """Return the titles of which a heading must be one, folded; empty where none is asked for.

    >>> sorted(read_headings(Condition(id="c", text="have a section headed “Fees” or “Costs”")))
    ['costs', 'fees']
    >>> read_headings(Condition(id="c", text="have a section on fees"))
    frozenset()
    """
    found = _HEADED.fullmatch(condition.text.strip().rstrip("."))
    if found is None:
        return frozenset()
    told = found["titles"]
    quoted = [one or other for one, other in _QUOTED.findall(told)]
    if quoted and _BETWEEN.fullmatch(_QUOTED.sub(" ", told)):
        return frozenset(_folded(each) for each in quoted)
    return frozenset()


def headed_proofs(passage: Passage, titles: frozenset[str]) -> Iterator[Proof]:
    """Yield the heading's own lines in a passage; else its first sentence, if it stands below one.

    A title counts as a whole and without case; numbers and marks around it are left out.
    """
    above = any(_folded(each) in titles for each in passage.headings)
    lines = [
        each
        for each in _LINE.finditer(passage.text)
        if _folded(each.group()) in titles and (above or _set_off(passage.text, *each.span()))
    ]
    for line in lines:
        yield Proof(*line.span(), line.span())
    if above and not lines and (sentences := sentence_spans(passage)):
        yield Proof(*sentences[0], sentences[0])


def _folded(title: str) -> str:
    """Return a title without case, marks and numbering: `## 3.1 Fees:` is `fees`."""
    bare = " ".join(title.strip().strip("#*_=").split()).rstrip(":.").casefold()
    return _NUMBERING.sub("", bare, count=1) if _NUMBERING.match(bare) else bare


def _set_off(text: str, start: int, end: int) -> bool:
    """Tell whether a line looks like a heading: marked, underlined, or with a blank line before."""
    line, before, after = text[start:end].strip(), text[:start], text[end + 1 :]
    if line.startswith(("#", "=", "**")) or _RULE.fullmatch(after.partition("\n")[0]):
        return True
    return bool(re.search(r"\n[^\S\n]*\n\Z", before)) or not before.strip()
