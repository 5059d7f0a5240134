"""Passages in the same words: one is sent, and its verdict holds for the others."""

from collections.abc import Iterable, Sequence
from itertools import chain

from pyroaring import BitMap

from agent.evidence import Finding
from agent.replies import EvidenceReply
from agent.state import State
from graphs.context import Context
from graphs.scope import open_conditions, unjudged
from graphs.search.judging_batches import QuoteCheck, Verdicts
from graphs.search.trials import left_to_ask, reviewed
from tools.passage_windows import copies_of, passages, plain_words

_NEAR = 100
"""Characters around what is shown of a passage in which evidence may be its own."""


def apart(chunks: Iterable[int], state: State, context: Context) -> list[int]:
    """Return the chunks without those that say what an earlier one of them does."""
    kept: list[int] = []
    said, telling = BitMap(), _telling(state)
    for chunk in chunks:
        if chunk not in said:
            kept.append(chunk)
            said |= copies_of(context.corpus, chunk, telling)
    return kept


def copied(verdicts: Verdicts, state: State, context: Context) -> Verdicts:
    """Return what verdicts say of unread copies, each with its own quotes.

    Nothing is said of a copy in which a quote cannot be located or a thing named does not stand,
    nor of one that a person judged or of which more is asked: it is read by itself.
    """
    found, open_, telling = Verdicts(), unjudged(state, context), _telling(state)
    asked = left_to_ask(state, context).values()
    for chunk in verdicts.read - BitMap().union(*verdicts.unclear.values()):
        for copy in copies_of(context.corpus, chunk, telling) & open_ - found.read:
            more = any(copy in each and chunk not in each for each in asked)
            if more or reviewed(copy, open_conditions(state), context):
                continue
            told = _transferred(chunk, copy, verdicts.findings, state, context)
            if told is not None:
                found.read.add(copy)
                found.findings += told
    return found


def _transferred(
    chunk: int, copy: int, findings: Sequence[Finding], state: State, context: Context
) -> list[Finding] | None:
    """Return the evidence of a chunk as it stands in its copy; None where some does not."""
    reading, by = state.interpreted, context.reasoner.name
    (seen,), (there,) = (passages(context.corpus, [each]) for each in (chunk, copy))
    first = seen.start - len(seen.before) - _NEAR
    end = seen.start + len(seen.text) + len(seen.after) + _NEAR
    own = [each for each in findings if each.document == seen.document]
    own = [each for each in own if each.start < end and first < each.end]
    names = {word for each in own for word in plain_words(each.entity)}
    if reading.grain == "entity" and not names.issubset(plain_words(there.text)):
        return None
    check = QuoteCheck(context.corpus, reading, open_conditions(state), by)
    told = [found for each in own if (found := check.finding(evidence_of(each), there))]
    return told if len(told) == len(own) else None


def evidence_of(finding: Finding) -> EvidenceReply:
    """Return a finding as it was told."""
    return EvidenceReply.model_validate(finding.model_dump(include={*EvidenceReply.model_fields}))


def _telling(state: State) -> frozenset[str]:
    """Return the words of the conditions."""
    told = (
        (each.text, *each.counts, *each.borderline, *each.excludes, *each.terms)
        for each in open_conditions(state)
    )
    return frozenset(plain_words(" ".join(chain.from_iterable(told))))
