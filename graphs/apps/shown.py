"""An answer as a person reads it in a terminal."""

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from agent.answer import Answer
from agent.evidence import Entity

__all__ = ("cost_line", "headline", "show")

_ROWS = 20
_QUOTE = 160


def show(answer: Answer, console: Console, *, rows: int = _ROWS) -> None:
    """Print the number, the list with its proof, what may be missing, and the bill."""
    if answer.status == "needs_clarification":
        _show_waiting(answer, console)
        return
    if answer.readings:
        _show_readings(answer, console, rows)
        return
    console.print(f"[bold]{escape(headline(answer))}[/bold]")
    if answer.interpretation:
        console.print(f"read as: {escape(answer.interpretation.text)}", highlight=False)
        for assumption in answer.interpretation.assumptions:
            console.print(f"assumed: {escape(assumption)}", highlight=False)
    if answer.entities:
        console.print(_table(answer.entities, rows))
    if len(answer.entities) > rows:
        console.print(f"… and {len(answer.entities) - rows} more (--json gives all)")
    _show_funnel(answer, console)
    console.print(escape(_coverage_line(answer)), highlight=False)
    for warning in answer.warnings:
        console.print(f"[yellow]note:[/yellow] {escape(warning)}", highlight=False)
    console.print(escape(cost_line(answer)), highlight=False)


def cost_line(answer: Answer) -> str:
    """Say the bill in one line."""
    cost = answer.cost
    money = "" if cost.usd is None else f", ${cost.usd:.4f}"
    return (
        f"cost: {cost.model_calls} calls ({cost.cached_calls} from cache), {cost.input_tokens} + "
        f"{cost.output_tokens} tokens{money}, {cost.seconds:.1f} s · run {answer.run}"
    )


def headline(answer: Answer) -> str:
    """Say the number with its unit and bounds."""
    unit = f" {answer.unit}" if answer.unit else ""
    value = answer.value
    if isinstance(value, dict):
        return ", ".join(f"{group}: {number:g}" for group, number in value.items())
    shown = "no value" if value is None else f"{value:g}{unit}"
    bounds = answer.bounds
    between = ""
    if bounds is not None and bounds[0] != bounds[1]:
        between = f" (between {bounds[0]:g} and {bounds[1]:g})"
    return f"{shown}{between}"


def _table(entities: tuple[Entity, ...], rows: int) -> Table:
    table = Table(show_edge=False, pad_edge=False)
    measured = any(entity.value is not None for entity in entities)
    for title in ("#", "item", *(("value",) if measured else ()), "evidence"):
        table.add_column(title, overflow="fold")
    for number, entity in enumerate(entities[:rows], start=1):
        quote = " ".join(entity.evidence[0].quote.split()) if entity.evidence else ""
        value = ("" if entity.value is None else f"{entity.value}",) if measured else ()
        cells = (str(number), entity.name, *value, quote[:_QUOTE])
        table.add_row(*(escape(cell) for cell in cells))
    return table


def _show_funnel(answer: Answer, console: Console) -> None:
    for snapshot in answer.snapshots:
        mark = "" if snapshot.outcome == "kept" else " (rolled back)"
        arguments = ", ".join(f"{name}={value}" for name, value in snapshot.arguments.items())
        line = f"  {snapshot.tool}({arguments})"[:120]
        console.print(
            escape(f"{line} → kept {snapshot.kept}, discarded {snapshot.discarded}{mark}"),
            highlight=False,
        )


def _coverage_line(answer: Answer) -> str:
    coverage, complete = answer.coverage, answer.completeness
    bound = complete.recall_lower_bound
    recall = "" if bound is None else f"recall at least {bound:.0%}: "
    return (
        f"{coverage.chunks} chunks: {coverage.pruned} ruled out, {coverage.judged} judged, "
        f"{coverage.matched} matched, {coverage.unparsable} unparsable, {coverage.failed} failed, "
        f"{coverage.unseen} unseen · {recall}{complete.method}"
    )


def _show_waiting(answer: Answer, console: Console) -> None:
    asked = answer.ambiguity.asked[-1]
    console.print(f"[bold]{escape(asked.question)}[/bold]")
    for number, option in enumerate(asked.options, start=1):
        console.print(f"  {number}. {escape(option)}", highlight=False)


def _show_readings(answer: Answer, console: Console, rows: int) -> None:
    for number, reading in enumerate(answer.readings, start=1):
        console.rule(f"reading {number} of {len(answer.readings)}")
        show(reading.model_copy(update={"readings": ()}), console, rows=rows)
