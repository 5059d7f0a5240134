"""align: make mentions into entities; sure pairs by rule, doubtful ones by the reasoner."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from langgraph.runtime import Runtime

import prompts
from agent.evidence import Finding
from agent.predicates import field_values
from agent.prompt_values import AlignValues
from agent.question import Interpretation
from agent.reasoner import Failure
from agent.replies import AlignReply
from agent.state import State, Update
from graphs.answering.matches import said_of_merging
from graphs.asking import limit_of, trace_prompt
from graphs.context import Context
from graphs.scope import scope
from graphs.search.condition_evaluator import ConditionEvaluator
from tools.alignment import candidate_pairs, merge

_PAIRS = 40
_Pairs = list[tuple[str, str]]


def align(state: State, runtime: Runtime[Context]) -> Update:
    """Merge the names found by the rule that C2 has; documents are their own entities."""
    context, reading = runtime.context, state.interpreted
    documents = reading.grain == "document" and not reading.entity_field
    if documents or reading.merging is None:
        return {}
    warnings, stopped = _merge(*_mentions(state, context), state, runtime)
    if not warnings:
        return {}
    return {"warnings": (*state.warnings, *warnings), "stopped": state.stopped or stopped}


def _mentions(state: State, context: Context) -> tuple[Counter[str], Sequence[Finding]]:
    """Return how often each name stands where it may count, and the findings that tell of it."""
    if state.interpreted.entity_field:
        values = field_values(context.corpus, state.interpreted.entity_field)
        places = ConditionEvaluator(state, context).conceivable()
        items = (item for place in places if place in values for item in values[place].items)
        return Counter(" ".join(item.split()) for item in items), ()
    found = [each for each in context.store.findings(scope(state)) if not each.by_code]
    return Counter(each.entity for each in found), found


def _merge(
    names: Counter[str], found: Sequence[Finding], state: State, runtime: Runtime[Context]
) -> tuple[tuple[str, ...], str]:
    """Store names as entities; return what was left open in words, and the limit reached."""
    context, reading = runtime.context, state.interpreted
    said = [each.quote for each in found]
    # An embedder that knows words beyond the corpus and costs nothing tells what is alike.
    local = context.corpus.manifest.settings.embedder.startswith("sentence-transformers:")
    embed = context.corpus.embedder.embed if local else None
    blocks = candidate_pairs(names, rule=reading.merging or "alias", quotes=said, embed=embed)
    # For each name the first quote that says more than the name.
    telling = [each for each in reversed(found) if len(each.quote) > len(each.entity)]
    quotes = {each.entity: each.quote for each in telling}
    words = said_of_merging(state)
    asked = f"{reading.text} (When two are one: {words})" if words else reading.text
    values = AlignValues(
        entity_type=reading.entity_type,
        question=asked,
        assumptions=reading.assumptions,
        pairs=blocks.grey,
        quotes=quotes,
    )
    same, open_, stopped = _asked(values, runtime)
    sure = [*blocks.sure, *_named_by_field(names, reading, context)]
    clusters, refused = merge(names, sure, same, wide=reading.merge == "wide")
    shown = {each: name for name, others in clusters.items() for each in (name, *others)}
    doubts = {
        (shown[one], shown[other])
        for one, other in (*open_, *refused)
        if shown[one] != shown[other]
    }
    context.store.put_entities(scope(state), clusters)
    context.store.put_doubts(scope(state), sorted(doubts))
    return _warnings(len(doubts), blocks.left_out), stopped


def _named_by_field(
    names: Counter[str], reading: Interpretation, context: Context
) -> list[tuple[str, str]]:
    """Return the pairs of names that the field of other names says to be one."""
    if reading.entity_field is None or reading.alias_field is None or reading.merging == "exact":
        return []
    own = field_values(context.corpus, reading.entity_field)
    others = field_values(context.corpus, reading.alias_field)
    found = [
        (" ".join(own[place].items[0].split()), " ".join(alias.split()))
        for place, value in others.items()
        if place in own and len(own[place].items) == 1
        for alias in value.items
    ]
    return [pair for pair in found if pair[0] != pair[1] and names.keys() >= set(pair)]


def _warnings(doubts: int, left_out: int) -> tuple[str, ...]:
    told = (
        (doubts, "may be one and stayed apart: the lower bound counts each as one"),
        (left_out, "are a little alike and were not compared: the names had better partners"),
    )
    return tuple(
        f"{count} pair{'s' if count > 1 else ''} of names {words}" for count, words in told if count
    )


def _asked(values: AlignValues, runtime: Runtime[Context]) -> tuple[_Pairs, _Pairs, str]:
    """Return which pairs are the same, which have no verdict, and the limit that was reached."""
    if "judge" not in runtime.context.reasoner.abilities:
        return [], list(values.pairs), ""
    parts = [values.pairs[at : at + _PAIRS] for at in range(0, len(values.pairs), _PAIRS)]
    sent = [prompts.align(replace(values, pairs=part)) for part in parts]
    if sent:
        trace_prompt(runtime, sent[0])
    replies = runtime.context.reasoner.ask_many(sent, AlignReply)
    same: _Pairs = []
    open_: _Pairs = []
    for part, reply in zip(parts, replies, strict=True):
        decided = [] if isinstance(reply, Failure) else reply.pairs
        verdicts = {each.pair: each.same for each in decided}
        for number, pair in enumerate(part, start=1):
            if verdicts.get(number):
                same.append(pair)
            elif number not in verdicts:
                open_.append(pair)
    return same, open_, limit_of(replies)
