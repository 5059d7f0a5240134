"""align: make mentions into entities; sure pairs by rule, doubtful ones by the reasoner."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from langgraph.runtime import Runtime

import prompts
from agent.ambiguity import Exchange
from agent.errors import LimitReached
from agent.evidence import Finding
from agent.question import Interpretation
from agent.reasoner import Failure
from agent.replies import AlignReply
from agent.state import State, Update
from graphs.asking import trace_prompt
from graphs.context import Context
from graphs.scope import scope
from tools.alignment import Embed, Rule, candidate_pairs, merge, rule_of

__all__ = ("align",)

_PAIRS = 40


@dataclass(slots=True)
class _Verdicts:
    """What the reasoner said of pairs of names."""

    same: list[tuple[str, str]] = field(default_factory=list)
    open: list[tuple[str, str]] = field(default_factory=list)
    """Pairs without a verdict."""
    stopped: str = ""
    """The limit that was reached, if any."""


def align(state: State, runtime: Runtime[Context]) -> Update:
    """Merge the names found; documents and field items are their own entities."""
    context, reading = runtime.context, state.interpretation
    if reading is None or reading.grain == "document" or reading.entity_field:
        return {}
    found = [each for each in context.store.findings(scope(state)) if each.by != "metadata"]
    names, rule = Counter(each.entity for each in found), _rule(state, reading)
    blocks = candidate_pairs(
        names, rule=rule, quotes=[each.quote for each in found], embed=_embed(context)
    )
    told = _asked(blocks.grey, reading, _quotes(found), runtime)
    merged = merge(names, blocks.sure, told.same, wide=rule == "wide")
    shown = {name: each.name for each in merged.clusters for name in (each.name, *each.aliases)}
    doubts = {
        (shown[one], shown[other])
        for one, other in (*told.open, *merged.refused)
        if shown[one] != shown[other]
    }
    context.store.put_entities(scope(state), {each.name: each.aliases for each in merged.clusters})
    context.store.put_doubts(scope(state), sorted(doubts))
    if not doubts and not blocks.left_out:
        return {}
    warnings = (*state.warnings, *_warnings(len(doubts), blocks.left_out))
    return {"warnings": warnings, "stopped": state.stopped or told.stopped}


def _rule(state: State, reading: Interpretation) -> Rule:
    """Return how mentions are merged: as C2 was answered, where it was asked about."""
    replies = [_words(each) for each in state.exchanges if each.asked.code == "C2"]
    return rule_of(replies[-1]) if replies else reading.merge


def _words(exchange: Exchange) -> str:
    """Return what the person answered: the words, or those of the option chosen."""
    choice, options = exchange.reply.choice, exchange.asked.options
    if choice is not None and 1 <= choice <= len(options):
        return f"{options[choice - 1].label}: {options[choice - 1].meaning}"
    return exchange.reply.text


def _embed(context: Context) -> Embed | None:
    """Return the corpus's embedder where it knows words beyond the corpus and costs nothing."""
    local = context.corpus.manifest.settings.embedder.startswith("sentence-transformers:")
    return context.corpus.embedder.embed if local else None


def _quotes(found: Sequence[Finding]) -> dict[str, str]:
    """Return for each name the first quote that says more than the name."""
    quotes: dict[str, str] = {}
    for each in found:
        if len(each.quote) > len(each.entity):
            quotes.setdefault(each.entity, each.quote)
    return quotes


def _warnings(doubts: int, left_out: int) -> tuple[str, ...]:
    told = (
        (doubts, "may be one and stayed apart: the lower bound counts each as one"),
        (left_out, "are a little alike and were not compared: the names had better partners"),
    )
    return tuple(
        f"{count} pair{'s' if count > 1 else ''} of names {words}" for count, words in told if count
    )


def _asked(
    pairs: Sequence[tuple[str, str]],
    reading: Interpretation,
    quotes: Mapping[str, str],
    runtime: Runtime[Context],
) -> _Verdicts:
    """Ask about pairs, so many at a time."""
    parts = [pairs[start : start + _PAIRS] for start in range(0, len(pairs), _PAIRS)]
    sent = [
        prompts.align(
            entity_type=reading.entity_type, question=reading.text, pairs=part, quotes=quotes
        )
        for part in parts
    ]
    if sent:
        trace_prompt(runtime, sent[0])
    told = _Verdicts()
    replies = runtime.context.reasoner.ask_many(sent, AlignReply)
    for part, reply in zip(parts, replies, strict=True):
        if isinstance(reply, Failure):
            told.stopped = (
                str(reply.error) if isinstance(reply.error, LimitReached) else told.stopped
            )
            verdicts = {}
        else:
            verdicts = {each.pair: each.same for each in reply.pairs}
        for number, pair in enumerate(part, start=1):
            if verdicts.get(number):
                told.same.append(pair)
            elif number not in verdicts:
                told.open.append(pair)
    return told
