"""Results as Markdown tables: readable in a terminal, a pipe and a merge request alike."""

from collections.abc import Iterable, Mapping, Sequence

from evals.scores import Estimate


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Lay out a table with aligned columns, the first to the left and the others to the right.

    >>> print(markdown(["kind", "f1"], [["all", "0.5"]]))
    | kind |  f1 |
    |:-----|----:|
    | all  | 0.5 |
    """
    lines = [list(head), *(list(row) for row in rows)]
    first, *others = [max(map(len, column)) for column in zip(*lines, strict=True)]
    laid = []
    for name, *cells in lines:
        padded = [cell.rjust(width) for cell, width in zip(cells, others, strict=True)]
        laid.append(f"| {' | '.join([name.ljust(first), *padded])} |")
    rules = ["-" * (width + 1) + ":" for width in others]
    rule = "|".join([":" + "-" * (first + 1), *rules])
    return "\n".join([laid[0], f"|{rule}|", *laid[1:]])


def figures(first: str, rows: Mapping[str, Mapping[str, object]], digits: int = 3) -> str:
    """Lay out a row a name and a column a figure, with the names that JSON has for them.

    >>> print(figures("method", {"bm25": {"share_at_95": 0.5, "n": 3}}, 2))
    | method | share at 95 | n |
    |:-------|------------:|--:|
    | bm25   |        0.50 | 3 |
    """
    columns = dict.fromkeys(column for row in rows.values() for column in row)
    head = (first, *(each.replace("_", " ") for each in columns))
    lines = (
        [name, *(number(row.get(each), digits) for each in columns)] for name, row in rows.items()
    )
    return markdown(head, lines)


def number(value: object, digits: int = 3) -> str:
    """Return a cell: a dash for None, so many digits of a float, all else as it is.

    >>> number(None), number(0.25), number(1234.5, 0), number(7)
    ('-', '0.250', '1,234', '7')
    """
    if value is None:
        return "-"
    return f"{value:,.{digits}f}" if isinstance(value, float) else str(value)


def difference(figure: Estimate, digits: int = 3) -> str:
    """Return a difference with its interval, signed; a dash where it is undefined.

    >>> difference(Estimate(3, 0.5, 0.25, 0.75), 2)
    '+0.50 [+0.25, +0.75]'
    """
    if figure.value is None:
        return "-"
    value, low, high = (f"{each:+.{digits}f}" for each in (figure.value, figure.low, figure.high))
    return f"{value} [{low}, {high}]"
