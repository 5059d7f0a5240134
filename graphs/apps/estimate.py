"""`--estimate`: what a question, an analysis or records would cost, before anything is spent.

A question is answered by two dry runs of the whole graph, with pilots in the model's place. Of an
analysis and of records the prompts are counted that would be sent.
"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, get_args

import prompts
from agent.cost import Cost
from agent.errors import SettingsError
from agent.prompt_values import InterpretValues
from agent.reasoner import Prompt
from agent.reasoners.pilot import Leniency, PilotReasoner
from agent.records.record_schema import Attribute, Kind, RecordGrain
from agent.replies import InterpretReply
from agent.settings import Settings, load_settings
from agent.state import Question, State
from agent.value import counted
from graphs.analyst import planning
from graphs.apps.criteria_file import read_criteria
from graphs.apps.exits import Exit
from graphs.apps.from_settings import Request
from graphs.apps.terminal import write_json, write_line
from graphs.context import Context
from graphs.disambiguation import given_criteria
from graphs.headcount import build_graph
from graphs.records.filling import CELL, Queue, packed, parts_of, prompt_of, task_of
from graphs.runs.run_entry import check_question
from graphs.runs.run_session import Command, Event
from graphs.search.cost_model import allowed_audit, judging, passage_tokens
from graphs.sessions import Session
from tools.corpus.chunking.token_counts import count_tokens
from tools.corpus.corpus import open_corpus
from tools.records.reply_checking import Task

Range = tuple[int, int]
Bills = tuple[Cost, Cost]
"""The low and the high end of what something costs."""

_COLUMN: Final = 90
"""Tokens of a column in a plan."""
_FEWEST, _MOST = 2, 8
"""Columns that an analysis extracts from each document, about."""
_LIKELIEST: Final = 3
"""Parts of a document that are read where the likeliest ones hold all values."""
_ROW: Final = 40
"""Tokens of a row in a text, about."""
_REPLY: Final = 300
"""Tokens of an interpretation, and of a query, about."""
_DESCRIPTION: Final = (
    "What the document states of it, written as a number with its unit or as a name."
)


def run_estimate(request: Request) -> Exit:
    """Print a range of calls, tokens and money for a question or an analysis."""
    settings = with_limits(load_settings(**request.flags))
    file = request.criteria
    given = None if file is None else read_criteria(file)
    bills = _bills(request.command, request.question, request.corpus, settings, given)
    print_bills(bills, settings, as_json=request.json, question=request.question)
    return Exit.ANSWERED


def estimate_text(corpus: Path, question: str, settings: Settings, command: Command = "ask") -> str:
    """Say how many calls, tokens and dollars it takes; raises as `run_estimate` does."""
    settings = with_limits(settings)
    return _bills_text(_bills(command, question, corpus, settings), settings)


def with_limits(settings: Settings) -> Settings:
    """Return settings with the limits that a model's own client knows, where none are set."""
    if not settings.own_client:
        return settings
    from agent.reasoners.own_clients import own_client

    return own_client(settings)[1]


def _bills(
    command: Command,
    question: str,
    corpus: Path,
    settings: Settings,
    criteria: InterpretReply | None = None,
) -> Sequence[Cost]:
    check_question(question)
    if command == "analyse":
        return _analysis_bills(dry_context(corpus, settings), question)
    if settings.model == "lexical":
        open_corpus(corpus)  # which has to be there all the same
        return (Cost(),)
    return [_dry_run(question, corpus, settings, each, criteria) for each in _pilots(settings)]


def print_bills(
    bills: Sequence[Cost], settings: Settings, *, as_json: bool, question: str | None = None
) -> None:
    """Print a range of calls, tokens and money."""
    if as_json:
        told: dict[str, object] = {} if question is None else {"question": question}
        told |= {"model": settings.model, **_ranges(bills), "usd": _usd(bills, settings)}
        told["prices_of"] = settings.price()[1]
        write_json(told, indent=None)
        return
    write_line(f"{settings.model}: {_bills_text(bills, settings)}")


def _ranges(bills: Sequence[Cost]) -> dict[str, Range]:
    parts = {
        "calls": [each.model_calls for each in bills],
        "input_tokens": [each.input_tokens for each in bills],
        "output_tokens": [each.output_tokens for each in bills],
    }
    return {name: (min(told), max(told)) for name, told in parts.items()}


def _bills_text(bills: Sequence[Cost], settings: Settings) -> str:
    shown = [
        f"{low}" if low == high else f"{low} to {high}" for low, high in _ranges(bills).values()
    ]
    money = _money(_usd(bills, settings), settings.price()[1])
    return "{} calls, {} tokens in, {} out, {}".format(*shown, money)


def _pilots(settings: Settings) -> list[PilotReasoner]:
    """Return a strict and a lenient pilot with the limits of the model in the settings."""
    limits = {"context_tokens": settings.context_tokens, "reply_tokens": settings.reply_tokens}
    return [PilotReasoner(leniency, **limits) for leniency in get_args(Leniency)]


def _dry_run(
    question: str,
    place: Path,
    settings: Settings,
    pilot: PilotReasoner,
    criteria: InterpretReply | None,
) -> Cost:
    """Run the graph over a store that is thrown away; return what it would have spent."""
    corpus = open_corpus(place)
    policy = settings.policy().model_copy(update={"on_ambiguity": "assume"})
    with TemporaryDirectory() as folder:
        corpus.runs = Path(folder)
        context = Context(corpus=corpus, reasoner=pilot, policy=policy)
        given = None if criteria is None else given_criteria(criteria, context)
        with context.store:
            build_graph().invoke(Question(question=question, criteria=given), context=context)
    return pilot.spent()


def begun_again(
    session: Session, earlier: str, run: str, criteria: InterpretReply | None
) -> tuple[list[Event], str]:
    """Ask a question again, up to the first request; return the trace, and what it takes."""
    begun = list(session.again(earlier, run=run, criteria=criteria, estimate=True))
    if not session.unfinished(run):
        return begun, "nothing is judged again"
    return begun, _rereading_text(session.state(run), session.context)


def _rereading_text(state: State, context: Context) -> str:
    """Name the first round of a run that was begun again, and what may follow."""
    first = state.rounds[-1]
    chunks = context.store.ids(first.selection)
    tokens = int(context.corpus.chunk_tokens[[*chunks]].sum())
    takes = judging(tokens, passage_tokens(context)).in_words
    told = f"{counted(len(chunks), 'passage')} to be judged"
    if first.purpose == "audit":
        return f"{told}, for an audit: {takes}"
    rest, earlier = "", state.earlier
    if earlier and earlier.widened:
        rest = "the nearest of the others while that pays, then "
    elif earlier and earlier.narrowed:
        rest = "the rest of a document that loses all of its evidence, then "
    audit = allowed_audit(context)
    return f"{told}, {takes}; after them {rest}an audit of at most {counted(audit, 'passage')}"


def dry_context(place: Path, settings: Settings) -> Context:
    """Return a context that asks nothing; raises SettingsError where the model cannot write."""
    if settings.model == "lexical":
        raise SettingsError("lexical cannot write records: name a model with --model, which can")
    return Context(corpus=open_corpus(place), reasoner=_pilots(settings)[0])


def reading_bills(queue: Queue, context: Context) -> Bills:
    """Return the low and the high end: the likeliest parts of each document, or all, corrected."""
    likeliest, every = list[Task](), list[Task]()
    for document, kinds in queue:
        spans = parts_of(document, kinds, context) if kinds else ()
        rows = any(kind.grain == "row" for kind in kinds)
        tasks = [task_of(context.corpus, document, span, kinds) for span in spans]
        likeliest += tasks if rows else tasks[:_LIKELIEST]
        every += tasks
    low = sum((_extraction(context, pack) for pack in packed(likeliest, context)), Cost())
    high = sum((_extraction(context, [task]) for task in every), Cost())
    return low, high + high


def _extraction(context: Context, pack: Sequence[Task]) -> Cost:
    """Return what it costs to read a part of a document, or several documents, once."""
    kinds = pack[0].kinds
    columns = max(len(kind.attributes) for kind in kinds)
    tokens = sum(count_tokens(each.text[slice(*each.part)]) for each in pack)
    rows = any(kind.grain == "row" for kind in kinds)
    found = max(1, tokens // _ROW) if rows else len(pack)
    reply = min(found * columns * CELL, context.reasoner.reply_tokens)
    return _request(prompt_of(*pack), reply)


def _analysis_bills(context: Context, question: str) -> Bills:
    """Return the low and the high end: at the high one all is read, each request made twice."""
    plan = planning(question, context)
    interpreting = prompts.interpret(
        InterpretValues(question=question, conversation=(), corpus=context.corpus)
    )
    computing = _request(interpreting, _REPLY)
    computing += computing  # the query's prompt is about as long
    every, few, many = range(len(context.corpus.documents)), _kind("document"), _kind("row")
    low, _ = reading_bills([(each, (few,)) for each in every], context)
    _, high = reading_bills([(each, (many,)) for each in every], context)
    low += _request(plan, _FEWEST * _COLUMN) + computing
    asking = _request(plan, _MOST * _COLUMN) + computing
    high += asking + asking
    return low, high


def _kind(grain: RecordGrain) -> Kind:
    columns = (
        Attribute(name=f"column_{number}", type="text", description=_DESCRIPTION)
        for number in range(_FEWEST if grain == "document" else _MOST)
    )
    return Kind(name="record", grain=grain, attributes=tuple(columns))


def _request(prompt: Prompt, reply: int) -> Cost:
    return Cost(model_calls=1, input_tokens=count_tokens(prompt.text), output_tokens=reply)


def _usd(bills: Sequence[Cost], settings: Settings) -> tuple[float, float] | None:
    """Return the least and the most money; None where the model's price is unknown."""
    free = settings.model == "lexical" or settings.model.startswith("recorded:")
    price = (0.0, 0.0) if free else settings.price()[0]
    if price is None:
        return None
    money = [(bill.input_tokens * price[0] + bill.output_tokens * price[1]) / 1e6 for bill in bills]
    return min(money), max(money)


def _money(usd: tuple[float, float] | None, of: str = "") -> str:
    """Format a range of money, and from when the prices are.

    >>> _money(None), _money((0.0, 0.0)), _money((0.001, 0.2), "2026-11-02")
    ("the model's price is unknown", 'which costs nothing', '$0.00 to $0.20 (prices of 2026-11-02)')
    """
    if usd is None:
        return "the model's price is unknown"
    told = f"${usd[0]:.2f} to ${usd[1]:.2f}" if usd[1] else "which costs nothing"
    return f"{told} (prices of {of})" if of and usd[1] else told
