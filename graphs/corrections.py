"""What people overruled of a run's verdicts, and the criteria that a model proposes from it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from langgraph.runtime import Runtime

import prompts
from agent.errors import MalformedReply, RunError
from agent.interpretation import rebuilt
from agent.prompt_values import LearnValues, Overruled
from agent.question import Condition, Interpretation
from agent.reasoner import Reasoner
from agent.replies import CriterionChange, LearnReply
from agent.state import State
from graphs.asking import ask, require_writer
from graphs.context import Context
from graphs.scope import ledger, open_conditions, scope
from tools.passage_windows import passages

_MOST = 20
"""Verdicts that are shown, the newest: a rule needs no more, and a request has to hold them."""
_AGREED = 8
"""Quotes that are shown of what the person agreed with."""
_SAID = {"certain": "yes", "borderline": "borderline", None: "no"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Criteria that would have decided as people did."""

    reading: Interpretation
    why: str
    doubtful: tuple[Overruled, ...] = ()
    """Verdicts of people that look like slips."""


def checked(state: State, context: Context) -> tuple[Overruled, ...]:
    """Return what both a model and people judged, by the time at which people did."""
    corpus, reviews, book = context.corpus, context.reviews, ledger(state, context)
    if reviews is None:
        return ()
    told: list[tuple[str, Overruled]] = []
    found_by = [each for each in context.store.findings(scope(state)) if not each.by_code]
    by_model = {(each.chunk, each.condition): each for each in found_by}
    for condition in open_conditions(state):
        found = {chunk for chunk, each in by_model if each == condition.id}
        for chunk in sorted({*found, *book.ids(condition.id, "no")}):
            person = reviews.verdict(corpus, chunk, condition)
            if person is None:
                continue
            finding = by_model.get((chunk, condition.id))
            verdict = Overruled(
                condition=condition.id,
                passage=passages(corpus, [chunk])[0],
                model=finding.certainty if finding else None,
                quote=finding.quote if finding else person.quote,
                person=person.judgement,
                note=person.note,
            )
            told.append((person.made, verdict))
    return tuple(each for _, each in sorted(told, key=lambda made: made[0]))


def proposed(state: State, context: Context, reasoner: Reasoner) -> Proposal:
    """Ask a model for criteria that draw the line where people drew it.

    Raises:
        RunError: nothing was overruled.
        QuestionError: the reader cannot write.
        ModelError, ProviderError, LimitReached: there is no usable reply.
    """
    both = checked(state, context)
    differing = {
        (each.condition, " ".join(each.quote.split()), each.person): each
        for each in both
        if _SAID[each.model] != each.person
    }
    if not differing:
        raise RunError("nothing that was said was overruled yet: check it first")
    own = replace(context, reasoner=reasoner)
    require_writer(own, "propose criteria")
    cases, reading = tuple(differing.values())[-_MOST:], state.interpreted
    agreed = [each.quote for each in both if each.model == "certain" and each.person == "yes"]
    prompt = prompts.learn(
        LearnValues(
            question=state.question,
            conditions=open_conditions(state),
            cases=cases,
            agreed=[*dict.fromkeys(agreed)][-_AGREED:],
        )
    )

    def made(reply: LearnReply) -> Proposal:
        if unknown := {*reply.doubtful} - {*range(1, len(cases) + 1)}:
            raise MalformedReply(f"there is no passage {sorted(unknown)}, only 1 to {len(cases)}")
        doubtful = tuple(cases[number - 1] for number in reply.doubtful)
        new = _changed(reading, reply.changes)
        return Proposal(reading=new, why=reply.why, doubtful=doubtful)

    return ask(Runtime(context=own), prompt, LearnReply, made)


def _changed(reading: Interpretation, changes: Sequence[CriterionChange]) -> Interpretation:
    """Return the interpretation with other criteria; raises MalformedReply where they name none."""
    known: set[str] = set()

    def edited(condition: Condition) -> Condition:
        known.add(condition.id)
        for change in (each for each in changes if each.condition == condition.id):
            condition = _with(condition, change)
        return condition

    changed = rebuilt(reading, edited)
    if unknown := {each.condition for each in changes} - known:
        raise MalformedReply(f"there is no condition {sorted(unknown)}, only {sorted(known)}")
    return changed


def _with(condition: Condition, change: CriterionChange) -> Condition:
    entries = list[str](getattr(condition, change.criteria))
    if change.remove is not None:
        if change.remove not in entries:
            raise MalformedReply(
                f"{change.criteria} of {condition.id} has no entry {change.remove!r}: {entries}"
            )
        entries.remove(change.remove)
    if change.add and change.add not in entries:
        entries.append(change.add)
    return condition.model_copy(update={change.criteria: tuple(entries)})
