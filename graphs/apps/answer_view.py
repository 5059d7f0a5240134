"""An answer as a person reads it in a terminal, or a program reads it from a pipe."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from agent.answer import Answer
from agent.evidence import Entity
from agent.question import atoms, signed
from agent.value import counted, number
from graphs.answering.headline import decided_by, headline
from graphs.apps.in_words import bill_text, call_text, criteria
from graphs.apps.terminal import one_line, say, styled, write_row

_QUOTE = 220
_BY_CODE = ("metadata fields of every document", "the words of every document")
"""How the method begins where nothing had to be read."""


def show(answer: Answer, console: Console, *, rows: int | None = None) -> None:
    """Print the number, the list with its proof, what may be missing, and the bill."""
    if answer.status == "needs_clarification":
        _show_waiting(answer, console)
    elif answer.readings:
        _show_interpretations(answer, console, rows)
    else:
        _show_answered(answer, console, rows)


def coverage_line(answer: Answer) -> str:
    """Format what happened to the chunks, and what bounds the recall."""
    coverage, complete = answer.coverage, answer.completeness
    chunks = counted(coverage.chunks, "chunk")
    if complete.method.startswith(_BY_CODE):
        return f"{chunks}: decided by {complete.method}"
    if decided := decided_by(answer):
        return f"{chunks}: decided by {decided} · {complete.method}"
    parts = [
        ("ruled out", coverage.pruned),
        ("judged", coverage.judged),
        ("unparsable", coverage.unparsable),
        ("failed", coverage.failed),
        ("not read", coverage.unseen),
    ]
    states = ", ".join(f"{count} {what}" for what, count in parts if count)
    bound = complete.recall_lower_bound
    recall = ""
    if bound is not None and bound < 1:
        recall = f"at least {bound:.0%} of the relevant chunks read: "
    among = f"{chunks}: {states}; {coverage.matched} matched"
    return f"{among} · {recall}{complete.method}"


def cost_line(answer: Answer) -> str:
    """Format the bill in one line."""
    return f"cost: {bill_text(answer.cost)} · run {answer.run}"


def _show_answered(answer: Answer, console: Console, rows: int | None) -> None:
    """Print an answer; of candidates, which nothing counts or bounds, no way and no coverage."""
    unread = answer.status == "candidates"
    told = (
        f"Nobody has read these: {headline(answer)}. Ask with --model NAME to have them read, or "
        "read them: headcount review."
    )
    say(console, told if unread else headline(answer), style="bold")
    _show_interpretation(answer, console)
    _show_items(answer, console, rows)
    for shot in () if unread else answer.snapshots:
        undone = " (rolled back)" if shot.outcome == "rolled_back" else ""
        call = call_text(shot.tool, shot.arguments)
        say(console, f"{shot.kept + shot.discarded:>6} → {shot.kept}  {call}{undone}", "cyan")
    if not unread:
        say(console, coverage_line(answer))
    for warning in answer.warnings:
        say(console, f"note: {warning}", style="yellow")
    say(console, cost_line(answer), style="dim")


def _show_interpretation(answer: Answer, console: Console) -> None:
    interpretation = answer.interpretation
    if interpretation is None:
        return
    say(console, f"interpreted as: {interpretation.text}")
    for condition in atoms(interpretation.conditions):
        counting = criteria(condition)
        if counting:
            say(console, f"  {condition.text}{counting}", style="dim")
    for assumption in interpretation.assumptions:
        say(console, f"assumed: {assumption}")


def _show_items(answer: Answer, console: Console, rows: int | None) -> None:
    shown, lacking = answer.entities[:rows], why_unquoted(answer)
    if console.is_terminal and shown:
        console.print(_table(shown, lacking))
    elif shown:
        for entity in shown:
            value = "" if entity.value is None else number(entity.value)
            cells = [entity.name, value, _quote(entity, lacking), *filter(None, [beside(entity)])]
            write_row(cells, console.file)
    if len(shown) < len(answer.entities):
        say(console, f"… and {len(answer.entities) - len(shown)} more")


def _table(entities: Sequence[Entity], lacking: str) -> Table:
    table = Table(show_edge=False, pad_edge=False, expand=True)
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("item", overflow="fold", ratio=1)
    measured = any(entity.value is not None for entity in entities)
    if measured:
        table.add_column("value", justify="right", no_wrap=True)
    fields = any(entity.shown for entity in entities)
    if fields:
        table.add_column("fields", overflow="fold", ratio=2)
    table.add_column("evidence", overflow="fold", ratio=3)
    for position, entity in enumerate(entities, start=1):
        value = "" if entity.value is None else number(entity.value)
        optional = [*([value] if measured else []), *([beside(entity)] if fields else [])]
        name = f"{entity.name} ({', '.join(entity.aliases)})" if entity.aliases else entity.name
        cells = (str(position), name, *optional, _quote(entity, lacking))
        table.add_row(*(styled(one_line(each)) for each in cells))
    return table


def beside(entity: Entity) -> str:
    """Format what stands beside an item: fields that the question wants, a candidate's words."""
    parts = (f"{name}: {', '.join(values) or 'none'}" for name, values in entity.shown.items())
    return " ".join("; ".join(parts).split())


def why_unquoted(answer: Answer) -> str:
    """Say why an item may have no quote: a negated condition has none; empty if all have one."""
    node = answer.interpretation.conditions if answer.interpretation else None
    denied = [atom for atom, is_denied in signed(node) if is_denied]
    if any(atom.predicate is None for atom in denied):
        return "no passage says so"
    return "no field says so" if denied else ""


def _quote(entity: Entity, lacking: str) -> str:
    """Return the first quote on one line, cut between words, and how many more there are."""
    if not entity.evidence:
        return lacking
    words = " ".join(entity.evidence[0].quote.split())
    if len(words) > _QUOTE:
        words = words[:_QUOTE].rpartition(" ")[0] + " …"
    page, more = entity.evidence[0].page, len(entity.evidence) - 1
    words = f"p. {page}: {words}" if page else words
    return f"{words} [+{more}]" if more else words


def _show_waiting(answer: Answer, console: Console) -> None:
    if not answer.ambiguity.asked or answer.ambiguity.asked[-1].reply is not None:
        _show_interpretation(answer, console)  # it waits to be confirmed
        return
    asked = answer.ambiguity.asked[-1]
    say(console, asked.question, style="bold")
    for position, option in enumerate(asked.options, start=1):
        say(console, f"  {position}. {one_line(option)}")


def _show_interpretations(answer: Answer, console: Console, rows: int | None) -> None:
    count = len(answer.readings)
    for position, each in enumerate(answer.readings, start=1):
        say(console, f"interpretation {position} of {count}", style="bold underline")
        show(each.model_copy(update={"readings": ()}), console, rows=rows)
        say(console, "")
    say(console, f"all interpretations: {cost_line(answer)}", style="dim")
