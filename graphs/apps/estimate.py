"""`--estimate`: what a question would cost, by pilot runs before anything is spent."""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

from agent.cost import Cost
from agent.reasoner import Reasoner
from agent.reasoners.ledger import price_of
from agent.reasoners.pilot import Leniency, PilotReasoner
from agent.reasoners.rules import RulesReasoner
from agent.settings import Settings, load_settings
from agent.state import Question
from graphs.apps.analysis_estimate import estimate_analysis
from graphs.apps.asking import Request
from graphs.apps.exits import Exit
from graphs.apps.records_estimate import pilot_context
from graphs.context import Context
from graphs.headcount import build_graph
from tools.corpus.corpus import open_corpus

__all__ = ("Estimate", "run_estimate")

Range = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a question would cost; each pair is the low and the high end of the pilots."""

    question: str
    model: str
    calls: Range
    input_tokens: Range
    output_tokens: Range
    usd: tuple[float, float] | None
    """Nothing for a reasoner that costs nothing; None where the model's price is not set."""


def run_estimate(request: Request) -> Exit:
    """Print a range of calls, tokens and money."""
    settings = load_settings(**request.flags)
    bills = (
        _analysis(request, settings) if request.command == "analyse" else _ask(request, settings)
    )
    told = _estimate(request.asked(), settings, bills)
    text = json.dumps(asdict(told), ensure_ascii=False) if request.json else _in_words(told)
    sys.stdout.write(text + "\n")
    return Exit.ANSWERED


def _ask(request: Request, settings: Settings) -> Sequence[Cost]:
    """Return what three runs of the whole graph by the embedded rules would have cost.

    Over a store that is thrown away: with nothing judged relevant, as the rules judge, and
    leniently.
    """
    return [
        _pilot(request.asked(), request.corpus, settings, reasoner)
        for reasoner in _pilots(settings)
    ]


def _analysis(request: Request, settings: Settings) -> Sequence[Cost]:
    """Return the low and the high end of an analysis."""
    return estimate_analysis(pilot_context(request.corpus, settings), request.asked())


def _free(settings: Settings) -> bool:
    """Tell whether the embedded rules, or a recording of replies paid for before, will answer."""
    return settings.model == "rules" or settings.model.startswith("recorded:")


def _pilots(settings: Settings) -> list[Reasoner]:
    if settings.model == "rules":
        return [RulesReasoner()]
    return [
        PilotReasoner(
            RulesReasoner(),
            leniency,
            context_tokens=settings.context_tokens,
            reply_tokens=settings.reply_tokens,
        )
        for leniency in get_args(Leniency)
    ]


def _pilot(question: str, place: Path, settings: Settings, reasoner: Reasoner) -> Cost:
    """Run the graph over a store of its own; return what it would have spent."""
    corpus = open_corpus(place)
    policy = settings.policy().model_copy(update={"on_ambiguity": "assume"})
    with TemporaryDirectory() as folder:
        corpus.runs = Path(folder)
        context = Context(corpus=corpus, reasoner=reasoner, policy=policy)
        with context.store:
            build_graph().invoke(Question(question=question), context=context)
    return reasoner.spent()


def _estimate(question: str, settings: Settings, bills: Sequence[Cost]) -> Estimate:
    price = (0.0, 0.0) if _free(settings) else price_of(settings.model, settings.prices)
    money = [
        (bill.input_tokens * price[0] + bill.output_tokens * price[1]) / 1e6
        for bill in bills
        if price is not None
    ]
    return Estimate(
        question=question,
        model=settings.model,
        calls=_range(bills, lambda bill: bill.model_calls),
        input_tokens=_range(bills, lambda bill: bill.input_tokens),
        output_tokens=_range(bills, lambda bill: bill.output_tokens),
        usd=(min(money), max(money)) if money else None,
    )


def _range(bills: Sequence[Cost], part: Callable[[Cost], int]) -> Range:
    parts = [part(bill) for bill in bills]
    return min(parts), max(parts)


def _in_words(told: Estimate) -> str:
    tokens = f"{_span(told.input_tokens)} tokens in, {_span(told.output_tokens)} out"
    return f"{told.model}: {_span(told.calls)} calls, {tokens}, {_money(told.usd)}"


def _span(ends: Range) -> str:
    return str(ends[0]) if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def _money(usd: tuple[float, float] | None) -> str:
    """Say the money.

    >>> _money(None), _money((0.0, 0.0)), _money((0.001, 0.2))
    ("the model's price is not set", 'which costs nothing', '$0.00 to $0.20')
    """
    if usd is None:
        return "the model's price is not set"
    return f"${usd[0]:.2f} to ${usd[1]:.2f}" if usd[1] else "which costs nothing"
