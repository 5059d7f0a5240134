"""An answer as a person reads it in a terminal, or a program reads it from a pipe."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table

from agent.answer import Answer
from agent.evidence import Entity
from agent.question import AllOf, AnyOf, Condition, Node, Not, atoms
from agent.value import counted
from graphs.apps.plain import printable, styled
from graphs.apps.progress import call_text, cost_text, criteria

__all__ = ("beside", "cost_line", "coverage_line", "headline", "number", "show", "unstated")

_QUOTE = 220
_RANKED = 3
"""Items of a ranking that its headline names."""


def show(answer: Answer, console: Console, *, rows: int | None = None) -> None:
    """Print the number, the list with its proof, what may be missing, and the bill.

    Args:
        answer: what to print.
        console: where; a pipe gets one tab-separated line an item.
        rows: items at most; None prints all.
    """
    if answer.status == "needs_clarification":
        _show_waiting(answer, console)
        return
    if answer.readings:
        _show_readings(answer, console, rows)
        return
    _say(console, headline(answer), style="bold")
    _show_reading(answer, console)
    _show_items(answer, console, rows)
    _show_funnel(answer, console)
    _say(console, coverage_line(answer))
    for warning in answer.warnings:
        _say(console, f"note: {warning}", style="yellow")
    _say(console, cost_line(answer), style="dim")


def headline(answer: Answer) -> str:
    """Say the number with its unit and bounds; of a ranking the first ones with theirs."""
    unit = f" {answer.unit}" if answer.unit else ""
    value = answer.value
    if answer.interpretation is not None and answer.interpretation.operation == "top_k":
        ranked = [each for each in answer.entities if each.value is not None]
        told = [f"{each.name}: {number(each.value or 0)}{unit}" for each in ranked[:_RANKED]]
        left = f", and {len(ranked) - len(told)} more" if len(ranked) > len(told) else ""
        if told:
            return f"{', '.join(told)}{left}{', partial' * (answer.status == 'partial')}"
    if isinstance(value, dict):
        return ", ".join(f"{group}: {number(count)}" for group, count in value.items()) + unit
    shown = "no value" if value is None else f"{number(value)}{unit}"
    partial = ", partial" if answer.status == "partial" else ""
    bounds = answer.bounds
    if bounds is None or bounds[0] == bounds[1]:
        return f"{shown}{partial}"
    return f"{shown} (between {number(bounds[0])} and {number(bounds[1])}{partial})"


def number(value: float | str) -> str:
    """Write a number without a needless fraction or exponent.

    >>> number(12.0), number(1234567.5), number(1 / 3)
    ('12', '1234567.5', '0.3333')
    """
    if isinstance(value, str):
        return value
    return str(int(value)) if float(value).is_integer() else f"{value:.4f}".rstrip("0")


def coverage_line(answer: Answer) -> str:
    """Say what happened to the chunks, and what bounds the recall."""
    coverage, complete = answer.coverage, answer.completeness
    parts = [
        ("ruled out", coverage.pruned),
        ("judged", coverage.judged),
        ("unparsable", coverage.unparsable),
        ("failed", coverage.failed),
        ("not read", coverage.unseen),
    ]
    told = ", ".join(f"{count} {what}" for what, count in parts if count)
    bound = complete.recall_lower_bound
    recall = ""
    if bound is not None and bound < 1:
        recall = f"at least {bound:.0%} of the relevant chunks read: "
    among = f"{counted(coverage.chunks, 'chunk')}: {told}; {coverage.matched} matched"
    return f"{among} · {recall}{complete.method}"


def cost_line(answer: Answer) -> str:
    """Say the bill in one line."""
    return f"cost: {cost_text(answer.cost)}, {answer.cost.seconds:.1f} s · run {answer.run}"


def _show_reading(answer: Answer, console: Console) -> None:
    reading = answer.interpretation
    if reading is None:
        return
    _say(console, f"read as: {reading.text}")
    for condition in atoms(reading.conditions):
        said = criteria(condition)
        if said:
            _say(console, f"  {condition.text}{said}", style="dim")
    for assumption in reading.assumptions:
        _say(console, f"assumed: {assumption}")


def _show_items(answer: Answer, console: Console, rows: int | None) -> None:
    shown, lacking = answer.entities[:rows], unstated(answer)
    if console.is_terminal and shown:
        console.print(_table(shown, lacking))
    elif shown:
        for entity in shown:
            value = "" if entity.value is None else number(entity.value)
            told = [entity.name, value, _quote(entity, lacking), *filter(None, [beside(entity)])]
            line = "\t".join(told)
            console.file.write(printable(line) + "\n")
    if len(shown) < len(answer.entities):
        _say(console, f"… and {len(answer.entities) - len(shown)} more")


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
        proof = _quote(entity, lacking)
        told = ((value,) if measured else (), (beside(entity),) if fields else ())
        cells = (str(position), _named(entity), *told[0], *told[1], proof)
        table.add_row(*(styled(cell) for cell in cells))
    return table


def beside(entity: Entity) -> str:
    """Say the fields that the question wants beside an item; empty where it wants none."""
    told = (f"{name}: {', '.join(values) or 'none'}" for name, values in entity.shown.items())
    return " ".join("; ".join(told).split())


def unstated(answer: Answer) -> str:
    """Say why an item may have no quote: nothing states what is denied; empty where all has one."""
    denied = list(_denied(answer.interpretation.conditions if answer.interpretation else None))
    if any(atom.predicate is None for atom in denied):
        return f"no passage says so ({answer.coverage.judged} read)"
    return "no field says so" if denied else ""


def _denied(node: Node | None, *, within: bool = False) -> Iterator[Condition]:
    """Yield the conditions that must not hold."""
    match node:
        case Not():
            yield from _denied(node.part, within=not within)
        case AllOf() | AnyOf():
            for part in node.parts:
                yield from _denied(part, within=within)
        case Condition() if within:
            yield node
        case _:
            return


def _named(entity: Entity) -> str:
    return f"{entity.name} ({', '.join(entity.aliases)})" if entity.aliases else entity.name


def _quote(entity: Entity, lacking: str) -> str:
    """Return the first quote on one line, cut between words, and how many more there are."""
    if not entity.evidence:
        return lacking
    words = " ".join(entity.evidence[0].quote.split())
    if len(words) > _QUOTE:
        words = words[:_QUOTE].rpartition(" ")[0] + " …"
    more = len(entity.evidence) - 1
    return f"{words} [+{more}]" if more else words


def _show_funnel(answer: Answer, console: Console) -> None:
    for shot in answer.snapshots:
        undone = " (rolled back)" if shot.outcome == "rolled_back" else ""
        call = call_text(shot.tool, shot.arguments)
        _say(console, f"{shot.kept + shot.discarded:>6} → {shot.kept}  {call}{undone}", "cyan")


def _show_waiting(answer: Answer, console: Console) -> None:
    asked = answer.ambiguity.asked[-1]
    _say(console, asked.question, style="bold")
    for position, option in enumerate(asked.options, start=1):
        _say(console, f"  {position}. {option}")


def _show_readings(answer: Answer, console: Console, rows: int | None) -> None:
    for position, reading in enumerate(answer.readings, start=1):
        _say(console, f"reading {position} of {len(answer.readings)}", style="bold underline")
        show(reading.model_copy(update={"readings": ()}), console, rows=rows)
        _say(console, "")
    _say(console, f"all readings: {cost_line(answer)}", style="dim")


def _say(console: Console, text: str, style: str = "") -> None:
    """Print text as it is; a terminal wraps it between words, a pipe gets it on one line."""
    console.print(styled(text, style), soft_wrap=not console.is_terminal)
