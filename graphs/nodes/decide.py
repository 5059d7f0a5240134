"""decide: settle by code what fields and words decide; rank: what nobody here can judge."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from langgraph.runtime import Runtime
from pydantic import JsonValue
from pyroaring import BitMap

from agent.history import Step
from agent.question import AllOf, AnyOf, Condition, Interpretation, atoms
from agent.reasoner import ToolCall
from agent.state import State, Update
from graphs.answering.answers import candidates
from graphs.context import Context
from graphs.nodes.judge import book_verdicts
from graphs.scope import asked_in, keeping, ledger, open_conditions, scope
from graphs.search.known_verdicts import kept, take_over
from tools.decisions import Decision, chunks_of, decide_by_field, decide_by_words, possible
from tools.mentions import Mentions
from tools.runs.coverage_ledger import CoverageLedger
from tools.runs.reviews import passage_keys


def decide(state: State, runtime: Runtime[Context]) -> Update:
    """Decide what fields and literal words decide; drop documents that cannot match any more.

    A search begins here: what an earlier reading left in the store goes, but for what trials judged
    of the same conditions.
    """
    context = runtime.context
    if context.components.interpreted is not None:
        state = replace(state, interpretation=context.components.interpreted(state.interpreted))
    context.store.restart(scope(state))
    book = ledger(state, context)
    whole = BitMap(range(len(context.corpus)))
    decisions = []
    for atom in atoms(state.interpreted.conditions):
        if atom.literal or atom.predicate is not None:
            decide_by = decide_by_words if atom.literal else decide_by_field
            decisions.append(decide_by(context.corpus, atom))
            by = "words" if atom.literal else "metadata"
            _enter(decisions[-1], book, state, context, by=by)
    history: tuple[Step, ...] = ()
    last = context.store.put_ids(whole)
    for call, some in _rulings(state.interpreted, decisions, state, context):
        step = _narrowed(call, some, last, len(history) + 1, state, context)
        history, last = (*history, step), step.after
    for each, chunks in asked_in(state, context).items():  # by the fields, the first ruling
        book.prune(1, whole - chunks, conditions=[each])
    texts = [each.id for each in open_conditions(state)]
    judging, corpus = texts and "judge" in context.reasoner.abilities, context.corpus
    if judging and not context.store.passages(corpus.digest):
        context.store.put_passages(corpus.digest, passage_keys(corpus))
    if judging and state.earlier is not None:
        now = replace(state, history=history)
        verdicts, left = kept(state.earlier, state, context)
        book_verdicts(verdicts, now, context, by=context.reasoner.name)
        call = ToolCall(
            tool="again",
            arguments={"run": state.earlier.run, "verdicts": len(verdicts.read)},
            why="what the earlier run judged is kept, and what it ruled out is left",
        )
        some = context.store.ids(last) - left
        step = keeping(some, last, call, len(history) + 1, state, context)
        book.prune(step.round, left, conditions=texts)
        history, last = (*history, step), step.after
    take_over(replace(state, history=history), context)
    return {
        "interpretation": state.interpretation,
        "snapshot": last,
        "history": history,
        "coverage": book.coverage(),
    }


def _rulings(
    reading: Interpretation, decisions: list[Decision], state: State, context: Context
) -> Iterator[tuple[ToolCall, BitMap]]:
    """Yield as calls what fields and spellings decide, and the chunks that each leaves."""
    corpus, node = context.corpus, reading.conditions
    literal = [each for each in atoms(node) if each.literal]
    if len(decisions) > len(literal):
        kept = chunks_of(corpus, possible(corpus, reading.wanted))
        yield _as_call(reading), kept
    if literal:
        mentioned = {
            each.condition: frozenset(corpus.document_index(one.document) for one in each.findings)
            for each in decisions
            if each.condition in {atom.id for atom in literal}
        }
        kept = chunks_of(corpus, possible(corpus, reading.wanted, decided=mentioned))
        yield _mention(literal, "decided by code from the words of every document"), kept
    texts = open_conditions(state)
    mentions = Mentions(corpus)
    looked_for = {each.id: mentions.holding(each.terms) for each in texts}
    holding = {
        each.id: chunks | mentions.across_edges(each.terms)
        for each in texts
        if (chunks := looked_for[each.id]) is not None
    }
    if not holding:
        return
    kept = BitMap(range(len(corpus)))
    if reading.grain == "document":
        kept = chunks_of(corpus, possible(corpus, node, holding))
    if len(holding) == len(texts):
        kept &= BitMap.union(*holding.values())
    yield _mention(texts, "decided by code: nothing is mentioned without its words"), kept


def _mention(conditions: Sequence[Condition], why: str) -> ToolCall:
    words: list[JsonValue] = [word for each in conditions for word in each.terms]
    return ToolCall(tool="mention", arguments={"words": words}, why=why)


def _enter(
    decision: Decision, book: CoverageLedger, state: State, context: Context, *, by: str
) -> None:
    """Book a decision; chunks without the words are ruled out unless a reader decides them."""
    book.judge(decision.condition, yes=decision.yes, no=decision.no, by=by, step=0)
    read = asked_in(state, context).get(decision.condition, BitMap())
    rest = BitMap(range(len(context.corpus))) - decision.yes - decision.no - read
    book.prune(0, rest, conditions=[decision.condition])
    context.store.add_findings(scope(state), decision.findings)


def _narrowed(
    call: ToolCall, left: BitMap, before: str, round_: int, state: State, context: Context
) -> Step:
    """Keep the chunks that can still matter, as a step of history."""
    candidates = context.store.ids(before)
    kept = left & candidates
    step = keeping(kept, before, call, round_, state, context, certain=True)
    text = [condition.id for condition in open_conditions(state)]
    if text:
        ledger(state, context).prune(step.round, candidates - kept, conditions=text)
    return step


def _as_call(reading: Interpretation) -> ToolCall:
    """Return the tests of fields, and how they are joined where that is all of them or any."""
    predicates = [atom.predicate for atom in atoms(reading.conditions) if atom.predicate]
    node = reading.wanted
    parts = node.parts if isinstance(node, AllOf | AnyOf) else (node,)
    tested = [each for each in parts if any(atom.predicate for atom in atoms(each))]
    plain = all(isinstance(each, Condition) for each in tested)
    match = "any" if isinstance(node, AnyOf) else "all"
    return ToolCall(
        tool="metadata",
        arguments={
            "predicates": [each.model_dump(mode="json") for each in predicates],
            "match": match if plain else "as the question joins or denies them",
        },
        why="decided by code from the fields of every document",
    )


def rank(state: State, runtime: Runtime[Context]) -> Update:
    """Keep the candidate passages, as a step of history; nobody reads or judges them."""
    context = runtime.context
    kept = BitMap(each.chunk for each in candidates(state, context)[0])
    texts = open_conditions(state)
    why = "ranked by the words of the conditions, since only a reader can judge their meaning"
    call = ToolCall(tool="rank", arguments={"query": [each.text for each in texts]}, why=why)
    step = keeping(kept, state.snapshot, call, len(state.history) + 1, state, context)
    return {
        "snapshot": step.after,
        "history": (*state.history, step),
        "coverage": ledger(state, context).coverage(),
    }
