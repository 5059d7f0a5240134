"""Assembling an answer from the state and the run store; no model is asked here."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from pyroaring import BitMap

from agent.answer import AmbiguityReport, Answer, AnswerReading, Asked, Completeness
from agent.coverage import SKIPPED, Coverage
from agent.english import singular
from agent.evidence import Entity, Evidence
from agent.question import Interpretation, atoms
from agent.state import State
from agent.value import counted
from graphs.answering.bounds import completeness, likely_range, prove, value_bounds
from graphs.answering.matches import Matches, matches, number
from graphs.answering.quantities import Groups, mixed_units
from graphs.context import Context
from graphs.scope import ledger, open_conditions, scope, within
from graphs.search.condition_evaluator import (
    ConditionEvaluator,
    counted_as,
    lacking,
    perhaps_mentioned,
)
from graphs.search.search_progress import SearchProgress
from tools.computation import Computed
from tools.decisions import untold
from tools.likely_passages import LikelyPassage, likely_passages

_QUOTED = 3
"""Passages of a document that are shown at most."""


def candidates(state: State, context: Context) -> tuple[list[LikelyPassage], int]:
    """Rank the passages of the documents that code does not rule out; say how many these are."""
    documents = ConditionEvaluator(state, context).conceivable()
    phrases = [" ".join((each.text, *each.counts)) for each in open_conditions(state)]
    found = likely_passages(context.corpus, phrases, documents, within(state, context))
    return found, len(documents)


def assembled(state: State, context: Context, reading: Interpretation | None = None) -> Answer:
    """Build the answer to a reading that the search served; None is the one searched for."""
    reading = reading or state.interpreted
    coverage = ledger(state, context).coverage(_cut_off(state, context))
    found = matches(state, context, reading)
    proof = prove(state, context, reading)
    computed = number(reading, found)
    snapshots = context.store.snapshots(scope(state))
    open_ = open_conditions(replace(state, interpretation=reading))
    undone = state.stopped and (open_ or not state.readings)
    alike = not mixed_units(reading, context.corpus)
    bounds = value_bounds(reading, found, computed, proof) if alike else None
    return answer_of(
        state,
        reading,
        status="partial" if undone else "answered",
        value=computed.value,
        bounds=bounds,
        likely=likely_range(state, context, reading, found, computed, bounds),
        unit=computed.unit,
        entities=_valued(found.entities, computed),
        completeness=completeness(state, proof, context, reading, computed),
        coverage=coverage,
        snapshots=snapshots,
        warnings=(
            *state.warnings,
            *(each.of(singular(reading.entity_type)) for each in computed.remarks),
            *_warnings(coverage, found, reading, state, context),
        ),
    )


def unread(state: State, context: Context) -> Answer:
    """Build the answer where no reader can decide: documents, best first, with unread sentences."""
    reading = state.interpreted
    found, documents = candidates(state, context)
    condition = " and ".join(each.text for each in open_conditions(state))
    entities = []
    for at, passages in groupby(found, key=lambda each: each.document):
        name, quoted = context.corpus.documents[at], [*passages][:_QUOTED]
        evidence = tuple(
            Evidence(
                document=name, start=each.start, end=each.end, quote=each.quote, condition=condition
            )
            for each in quoted
        )
        words = tuple(dict.fromkeys(word for each in quoted for word in each.words))
        entities.append(
            Entity(name=name, documents=(name,), shown={"words": words}, evidence=evidence)
        )
    shown = counted(sum(len(each.evidence) for each in entities), "passage")
    told = (
        f"nobody has read this: {shown} of {counted(len(entities), 'document')}, the likeliest of "
        f"{documents} that may count; a model (--model NAME) or you can tell"
    )
    return answer_of(
        state,
        reading,
        status="candidates",
        entities=tuple(entities),
        completeness=Completeness(method="nobody has read the candidates"),
        coverage=ledger(state, context).coverage(),
        snapshots=context.store.snapshots(scope(state)),
        warnings=(*state.warnings, told, *_lacking(reading, context)),
    )


def _valued(entities: Sequence[Entity], computed: Computed) -> tuple[Entity, ...]:
    """Return the entities that the number is about, in its order, each with its value."""
    by_name = {entity.name: entity for entity in entities}
    return tuple(
        by_name[name].model_copy(update={"value": computed.values.get(name)})
        for name in computed.entities
    )


def side_by_side(state: State, context: Context) -> Answer:
    """Put the answers to all readings into one; its own value is that of the likeliest."""
    answers = (context.store.answer(f"{state.run}.{at}") for at in range(len(state.readings)))
    readings = tuple(each for each in answers if each is not None)
    warnings = dict.fromkeys(told for each in readings for told in each.warnings)
    return readings[0].model_copy(
        update={
            "readings": readings,
            "status": "partial" if state.stopped else readings[0].status,
            "warnings": tuple(warnings),
            "cost": state.cost,
            "run": state.run,
        }
    )


def waiting(state: State) -> Answer:
    """Build the answer of a run that waits for a clarification."""
    return answer_of(
        state,
        state.interpretation,
        status="needs_clarification",
        completeness=Completeness(method="nothing was searched yet"),
        coverage=state.coverage,
    )


def answer_of(state: State, reading: Interpretation | None, **told: Any) -> Answer:
    """Build an answer from the state and the members told; items of a ranking have its unit."""
    if reading is not None and reading.operation == "top_k" and (unit := told.get("unit")):
        items = (each.model_copy(update={"unit": unit}) for each in told["entities"])
        told |= {"unit": None, "entities": tuple(items)}
    known = {
        "question": state.question,
        "interpretation": reading
        and AnswerReading(
            text=reading.text,
            entity_type=reading.entity_type,
            operation=reading.operation,
            conditions=reading.conditions,
            assumptions=reading.granted,
        ),
        "ambiguity": ambiguity_of(state),
        "cost": state.cost,
        "warnings": state.warnings,
        "run": state.run,
    }
    return Answer(**known | told)


def ambiguity_of(state: State) -> AmbiguityReport:
    """Return which ambiguities the question showed, and what was asked about them."""
    said = [(each.asked, each.reply.text or str(each.reply.choice)) for each in state.exchanges]
    waits = [(state.clarification, None)] if state.clarification is not None else []
    asked = [
        Asked(
            question=each.question,
            options=tuple(option.in_words for option in each.options),
            reply=reply,
        )
        for each, reply in (*said, *waits)
    ]
    return AmbiguityReport(codes=state.codes, coherence=state.coherence, asked=tuple(asked))


def _borderline(doubtful: Sequence[str]) -> list[str]:
    """Name what counts by doubtful evidence."""
    if not doubtful:
        return []
    rest = "1 rests" if len(doubtful) == 1 else f"{len(doubtful)} rest"
    return [f"{rest} on borderline evidence, check first: {first_names(doubtful)}"]


def first_names(names: Sequence[str]) -> str:
    """Join the first ten names.

    >>> first_names(["a", "b"]), first_names("abcdefghijk")
    ('a, b', 'a, b, c, d, e, f, g, h, i, j …')
    """
    return ", ".join(names[:10]) + (" …" if len(names) > 10 else "")


def _warnings(
    coverage: Coverage, found: Matches, reading: Interpretation, state: State, context: Context
) -> tuple[str, ...]:
    told = []
    if reading.conditions is None:
        told.append(f"no condition was read: each {singular(reading.entity_type)} counts")
    told += _lacking(reading, context)
    told += _perhaps_mentioned(reading, state, context)
    if reading.group_part is None:
        told += Groups(context.corpus, reading).told()
    told += _borderline(sorted(found.doubtful))
    if coverage.failed:
        told.append(f"{counted(coverage.failed, 'chunk')} failed: no answer came; ask again")
    skipped = _skipped(state, context) if coverage.unparsable else 0
    if skipped:
        told.append(f"{counted(skipped, 'chunk')} {'was' if skipped == 1 else 'were'} skipped")
    if left := coverage.unparsable - skipped:
        told.append(f"{counted(left, 'chunk')} without a verdict: no usable reply")
    if state.stopped:
        left = len(_cut_off(state, context))
        was = f"that could count {'was' if left == 1 else 'were'} not read"
        unread = (
            f"{counted(left, 'chunk')} {was}" if left else "nothing that was chosen was left unread"
        )
        told.append(f"the search ended early: {state.stopped}; {unread}")
    return tuple(told)


def _perhaps_mentioned(reading: Interpretation, state: State, context: Context) -> list[str]:
    """Name what may be a mention in another form, in documents without another."""
    perhaps = perhaps_mentioned(reading, state, context)
    documents = counted(len({each.document for each in perhaps}), "document")
    return [
        f"{documents} may mention it in another form, such as {each.quote!r} in {each.document}: "
        "counted as not mentioning it"
        for each in perhaps[:1]
    ]


def _skipped(state: State, context: Context) -> int:
    """Return how many chunks a person left without a verdict."""
    parts = ledger(state, context).parts()
    return len(BitMap().union(*(each.ids for each in parts if each.standing.reason == SKIPPED)))


def _lacking(reading: Interpretation, context: Context) -> list[str]:
    """Name the fields that some documents lack whom they could decide, and how these count."""
    read = (each.predicate for each in atoms(reading.conditions) if each.read_if_missing)
    told = [
        f"{counted(len(untold(context.corpus, test)), 'document')} without {test.field!r}: "
        "read for what the text says of it"
        for test in dict.fromkeys(each for each in read if each is not None)
    ]
    tests = [each.predicate for each in atoms(reading.conditions) if each.predicate]
    names = dict.fromkeys(tuple(sorted({e.field, *e.beside})) for e in tests if e.beside)
    told += [
        f"{', '.join(map(repr, each))} are taken for one field: no document states two of them"
        for each in names
    ]
    return told + [
        f"{counted(count, 'document')} {'has' if count == 1 else 'have'} no usable {name!r} and "
        f"{counted_as(name, count, reading)}: "
        f"{'its text was' if count == 1 else 'their texts were'} not read for it"
        for name, count in lacking(reading, context).items()
    ]


def _cut_off(state: State, context: Context) -> BitMap:
    """Return what a limit kept from being read, of the candidates and of what was chosen last."""
    if not state.stopped or not open_conditions(state):
        return BitMap()
    chosen = state.rounds[-1].selection if state.rounds else ""
    wanted = context.store.ids(state.snapshot) | (context.store.ids(chosen) if chosen else BitMap())
    return SearchProgress.of(state, context).unread & wanted
