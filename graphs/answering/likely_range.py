"""The likely range of a number, beside its proven bounds: what reading everything would tell.

It is about the same judge, whatever it misreads (see `tools.audit`). Units are
documents where these are counted, else passages, each of as many things as the one that held most.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from agent.question import AllOf, AnyOf, Condition, Interpretation, Node, Not
from agent.state import State
from graphs.answering.matches import Matches
from graphs.context import Context
from graphs.scope import open_conditions
from graphs.search.condition_evaluator import ConditionEvaluator, Truth, counts_places, lacking
from graphs.search.rank_unread import unread_chances
from graphs.search.search_progress import PastAudits, SearchProgress, unmatches
from tools.audit import likely_missed
from tools.computation import Computed


def likely_range(
    state: State,
    context: Context,
    reading: Interpretation,
    found: Matches,
    computed: Computed,
    bounds: tuple[float, float] | None,
) -> tuple[float, float] | None:
    """Return where the number likely lies (80 %): around the value, within the bounds.

    None where nothing bounds it, code decides it, documents lack a field that does, or no audit
    looked at a random sample of what was not read.
    """
    value, decided = computed.value, not open_conditions(replace(state, interpretation=reading))
    if bounds is None or value is None or isinstance(value, dict) or decided:
        return None
    if not state.audits or lacking(reading, context):
        return None
    progress = SearchProgress.of(state, context)
    unread = progress.unread | progress.closed
    evaluator = ConditionEvaluator(state, context, reading)
    pools = {each: chunks & unread for each, chunks in evaluator.undecided.items()}
    chances = unread_chances(pools, state, context)
    audits = PastAudits(state, context)
    documents = reading.grain == "document" and not reading.entity_field
    if documents and not counts_places(reading):
        look, at_once = audits.documents(state.audits[-1]), 1
        more, fewer = _documents(reading.conditions, evaluator, chances, context)
    else:
        look, at_once = audits.chunks(state.audits[-1]), found.at_once
        more = fewer = sum(
            1 - math.prod(1 - own.get(chunk, 0.0) for own in chances.values()) for chunk in unread
        )

    def missed(expected: float, most: float) -> int:
        hits, left = look.hits + look.unknown, len(unread)
        return at_once * likely_missed(
            expected, unread=left, drawn=look.drawn, hits=hits, most=min(left, math.ceil(most))
        )

    low, high = bounds
    falls = unmatches(reading.conditions) or reading.quota is not None or reading.across
    least = value - missed(fewer, value - low) if falls else value
    return max(low, least), min(high, value + missed(more, high - value))


def _documents(
    conditions: Node | None,
    evaluator: ConditionEvaluator,
    chances: Mapping[str, Mapping[int, float]],
    context: Context,
) -> tuple[float, float]:
    """Return how many more documents are expected to match, and how many of those to no longer."""
    matching, more, fewer = set(evaluator.matching()), 0.0, 0.0
    for number in evaluator.candidates:
        truth = evaluator.of_document(number, borderline=True)
        if evaluator.verdict(truth) is not None:
            continue
        chunks = context.corpus.chunks_of(number)
        holding = _holding(conditions, partial(_chance, truth, chances, chunks))
        if number in matching:
            fewer += 1 - holding
        else:
            more += holding
    return more, fewer


def _chance(
    truth: Truth, chances: Mapping[str, Mapping[int, float]], chunks: range, atom: Condition
) -> float:
    known, own = truth(atom), chances.get(atom.id, {})
    return 1 - math.prod(1 - own.get(chunk, 0.0) for chunk in chunks) if known is None else known


def _holding(node: Node | None, chance: Callable[[Condition], float]) -> float:
    """Return how likely a tree holds, its atoms taken for independent."""
    match node:
        case None:
            return 1.0
        case Condition():
            return chance(node)
        case Not():
            return 1 - _holding(node.part, chance)
        case AllOf():
            return math.prod(_holding(part, chance) for part in node.parts)
        case AnyOf():
            return 1 - math.prod(1 - _holding(part, chance) for part in node.parts)
