"""Conditions of when something is: `end after 2026`, looked for as a date beside the words."""

from dataclasses import dataclass

from agent.corpus_view import FieldValue
from agent.evidence import Passage
from agent.predicates import satisfies
from agent.question import Predicate
from agent.reasoners.rules.judging.proof import Proof
from agent.reasoners.rules.language.bounds import Bound, read_bound
from agent.reasoners.rules.language.words import tokenize
from agent.reasoners.rules.language.written_dates import dates_in

__all__ = ("Dated", "dated_proof", "read_dated")


@dataclass(frozen=True, slots=True)
class Dated:
    """A condition's words and the date they are to have."""

    body: str
    bound: Bound


def read_dated(text: str) -> Dated | None:
    """Part a condition that ends in a date from it; None where it does not.

    >>> found = read_dated("end after 2026")
    >>> found.body, found.bound.comparison, found.bound.values
    ('end', 'more_than', ('2026',))
    >>> read_dated("allow 2000 visitors") is None
    True
    """
    tokens = tokenize(text)
    for at in range(1, len(tokens)):
        if tokens[at].kind != "word":
            continue
        bound = read_bound(tokens, at)
        if bound is None or bound.end != len(tokens) or bound.kind not in {"date", "year"}:
            continue
        if not bound.unit and any(not token.function for token in tokens[:at]):
            return Dated(text[: tokens[at].start].rstrip(), bound)
    return None


def dated_proof(proof: Proof, passage: Passage, bound: Bound) -> Proof | None:
    """Return the proof with the date that its words have, where it is as asked, else None.

    The first date behind the words is theirs; where none stands behind, the last before them.
    """
    dates = list(dates_in(passage.text, proof.start, proof.end))
    behind = [each for each in dates if each[1] >= proof.anchor[0]]
    own = behind[0] if behind else dates[-1] if dates else None
    if own is None:
        return None
    date, start, end = own
    wanted = Predicate(field="", comparison=bound.comparison, values=bound.values)
    if not satisfies(FieldValue(raw=date, items=(date,), date=date), wanted):
        return None
    anchor = (min(start, proof.anchor[0]), max(end, proof.anchor[1]))
    return Proof(proof.start, proof.end, anchor, proof.strength)
