"""answer: compute the number, gather the proof, store the answer."""

from dataclasses import replace

from langgraph.runtime import Runtime

from agent.answer import Answer
from agent.evidence import Evidence
from agent.question import Interpretation
from agent.state import State, Update
from agent.value import counted
from graphs.answering.answers import assembled, first_names, side_by_side, unread
from graphs.context import Context
from graphs.disambiguation import searched_with
from graphs.records.recorded_answer import recorded
from graphs.scope import open_conditions


def answer(state: State, runtime: Runtime[Context]) -> Update:
    """Assemble the answer to each reading that the search served; after the last all together."""
    context = runtime.context
    if not state.readings:
        built = _since(state, _built(state, context), context)
        return {"answer": _stored(state.run, built, context), "answered": 1}
    served = searched_with(state.readings, state.answered)
    for place, reading in enumerate(served, start=state.answered):
        built = _built(state, context, place, reading)
        _stored(f"{state.run}.{place}", built, context)
    answered = state.answered + len(served)
    if answered == len(state.readings):
        built = _stored(state.run, side_by_side(state, context), context)
    return {"answer": built, "answered": answered}


def _built(
    state: State, context: Context, place: int = 0, reading: Interpretation | None = None
) -> Answer:
    """Build the answer by the way that was taken."""
    if state.route is not None and state.route.path == "records":
        return recorded(state, context, place)
    searched = state if reading is None else replace(state, interpretation=reading)
    if open_conditions(searched) and "judge" not in context.reasoner.abilities:
        return unread(searched, context)
    return assembled(state, context, reading)


def _since(state: State, built: Answer, context: Context) -> Answer:
    """Say which items came and went since the run whose question was asked again."""
    before = context.store.answer(state.earlier.run) if state.earlier is not None else None
    if before is None:
        return built
    was, now = ({each.name for each in told.entities} for told in (before, built))
    added, gone = (", ".join(sorted(names)) or "none" for names in (now - was, was - now))
    since = f"since run {before.run}: added {added}; gone {gone}"
    return built.model_copy(update={"warnings": (since, *built.warnings)})


def _stored(run: str, built: Answer, context: Context) -> Answer:
    corpus = context.corpus

    def paged(each: Evidence) -> Evidence:
        page = corpus.page_at(corpus.document_index(each.document), each.start)
        return each.model_copy(update={"page": page})

    entities = tuple(
        each.model_copy(update={"evidence": tuple(map(paged, each.evidence))})
        for each in built.entities
    )
    told = [*built.warnings, *_unreadable(context)]
    if built.cost.usd and context.prices_of:
        told.append(f"dollars are counted by the prices of {context.prices_of}")
    built = built.model_copy(update={"warnings": tuple(dict.fromkeys(told)), "entities": entities})
    context.store.put_answer(run, built)
    context.store.set_status(run, "partial" if built.status == "partial" else "answered")
    return built


def _unreadable(context: Context) -> list[str]:
    """Name the files of the corpus that no answer is about."""
    paths = [each.path for each in context.corpus.manifest.unreadable]
    if not paths:
        return []
    told = f"{counted(len(paths), 'source')} could not be read, and the answer is not about"
    those = "it" if len(paths) == 1 else "them"
    return [f"{told} {those} (`headcount doctor` says why): {first_names(paths)}"]
