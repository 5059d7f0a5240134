"""How typed values read in a prompt: the collection, conditions, passages."""

import hashlib
import re
from collections.abc import Sequence

from agent.corpus import CorpusView, Field
from agent.evidence import Passage
from agent.question import AllOf, AnyOf, Condition, Interpretation, Node, Not, Predicate

__all__ = (
    "collection",
    "condition_list",
    "interpretation_line",
    "nonce_of",
    "numbered_passages",
    "plain",
)

_VALUES_SHOWN = 12
_INVISIBLE = re.compile(
    "[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)


def plain(text: str) -> str:
    """Remove characters that a reader cannot see: zero-width, bidirectional and tag characters."""
    return _INVISIBLE.sub("", text)


def collection(corpus: CorpusView) -> str:
    """Describe a corpus: its size, some document names, its metadata fields with values."""
    names = list(corpus.documents[:3])
    lines = [
        f"{len(corpus.documents)} documents in {corpus.chunk_count} passages, for instance "
        + ", ".join(plain(name) for name in names)
    ]
    if corpus.fields:
        lines.append("metadata fields (type, share of documents, frequent values with counts):")
        lines.extend(_field_line(field, len(corpus.documents)) for field in corpus.fields[:40])
    else:
        lines.append("no metadata fields")
    return "\n".join(lines)


def _field_line(field: Field, documents: int) -> str:
    share = f"{field.documents / max(1, documents):.0%}"
    values = "; ".join(f"{plain(value)[:60]} ({n})" for value, n in field.values[:_VALUES_SHOWN])
    more = f"; … {field.distinct} distinct" if field.distinct > _VALUES_SHOWN else ""
    return f"- {plain(field.name)} ({field.type}, {share}): {values}{more}"


def condition_list(conditions: Sequence[Condition]) -> str:
    """List conditions with the line that separates what counts from what does not."""
    if not conditions:
        return "There is no condition: every one counts."
    return "\n".join(_condition_lines(condition) for condition in conditions)


def _condition_lines(condition: Condition) -> str:
    lines = [f"{condition.id}: {condition.text}"]
    if condition.terms:
        lines.append(f"   spellings: {'; '.join(condition.terms)}")
    if condition.counts:
        lines.append(f"   counts: {'; '.join(condition.counts)}")
    if condition.excludes:
        lines.append(f"   does not count: {'; '.join(condition.excludes)}")
    return "\n".join(lines)


def interpretation_line(interpretation: Interpretation) -> str:
    """State a reading in one line: operation, entity type, conditions."""
    where = f" where {_node(interpretation.conditions)}" if interpretation.conditions else ""
    measure = f" of {interpretation.measure.text}" if interpretation.measure else ""
    return (
        f"{interpretation.operation}{measure} of {interpretation.entity_type} "
        f"(one per {interpretation.grain}){where}. In words: {interpretation.text}"
    )


def _node(node: Node) -> str:
    match node:
        case Condition():
            return f"[{_predicate(node.predicate)}]" if node.predicate else f"[{node.text}]"
        case Not():
            return f"not {_node(node.part)}"
        case AllOf():
            return "(" + " and ".join(_node(part) for part in node.parts) + ")"
        case AnyOf():
            return "(" + " or ".join(_node(part) for part in node.parts) + ")"


def _predicate(predicate: Predicate) -> str:
    of = "number of items of " if predicate.of == "length" else ""
    return f"{of}{predicate.field} {predicate.comparison} {' | '.join(predicate.values)}".strip()


def nonce_of(passages: Sequence[Passage]) -> str:
    """Return a marker that the passages' authors could not know: a digest of their texts."""
    joined = "\x00".join(passage.text for passage in passages)
    return hashlib.sha256(joined.encode("utf-8", "replace")).hexdigest()[:8]


def numbered_passages(passages: Sequence[Passage], nonce: str) -> str:
    """Render passages, numbered from 1, each between marker lines that carry the nonce."""
    return "\n\n".join(
        _passage(number, passage, nonce) for number, passage in enumerate(passages, start=1)
    )


def _passage(number: int, passage: Passage, nonce: str) -> str:
    place = plain(passage.title)[:80]
    if passage.headings:
        place += " › " + " › ".join(plain(heading) for heading in passage.headings)
    lines = [f"=== {nonce} passage {number} (from {place}) ==="]
    if passage.before:
        lines.append(f"[… before: {plain(passage.before)}]")
    lines.append(plain(passage.text))
    if passage.after:
        lines.append(f"[after: {plain(passage.after)} …]")
    lines.append(f"=== {nonce} end {number} ===")
    return "\n".join(lines)
