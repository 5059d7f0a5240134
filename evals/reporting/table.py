"""A table as it is reported, in Markdown, LaTeX and HTML alike."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evals.tables import markdown

__all__ = ("Table", "to_html", "to_latex", "to_markdown")

_SPECIAL: Final = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "≥": r"$\geq$", "≤": r"$\leq$", "×": r"$\times$", "−": "$-$", "·": r"$\cdot$",
    "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip
_ANY_SPECIAL: Final = re.compile("|".join(map(re.escape, _SPECIAL)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under a head; the first column names the row."""

    name: str
    """For a file or a link: lower case, digits and hyphens."""
    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    """What a reader must know: the sample, what failed, what a column means."""


def to_markdown(table: Table) -> str:
    """Return the title, the table and its notes, ending with a newline."""
    body = markdown([_cell(each) for each in table.head], [_cells(row) for row in table.rows])
    return "\n\n".join([f"**{table.title}**", body, *table.notes]) + "\n"


def to_latex(table: Table) -> str:
    """Return a `table` environment with booktabs rules, its notes below."""
    rows = [" & ".join(map(_escaped, row)) + r" \\" for row in table.rows]
    notes = [rf"\par\smallskip {_escaped(note)}" for note in table.notes]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_escaped(table.title)}}}\label{{tab:{table.name}}}",
            rf"\begin{{tabular}}{{l{'r' * (len(table.head) - 1)}}}",
            r"\toprule",
            " & ".join(map(_escaped, table.head)) + r" \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            *notes,
            r"\end{table}",
            "",
        ]
    )


def to_html(table: Table) -> str:
    """Return a captioned table and its notes."""
    head = "".join(f"<th>{html.escape(each)}</th>" for each in table.head)
    rows = "\n".join(f"<tr>{''.join(_html_cells(row))}</tr>" for row in table.rows)
    notes = "\n".join(f'<p class="note">{html.escape(note)}</p>' for note in table.notes)
    caption = f"<caption>{html.escape(table.title)}</caption>"
    return (
        f'<table id="{html.escape(table.name)}">{caption}\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table>\n{notes}"
    )


def _html_cells(row: Sequence[str]) -> list[str]:
    first, *others = (html.escape(each) for each in row)
    return [f'<th scope="row">{first}</th>', *(f"<td>{each}</td>" for each in others)]


def _escaped(text: str) -> str:
    return _ANY_SPECIAL.sub(lambda found: _SPECIAL[found[0]], text)


def _cells(row: Sequence[str]) -> list[str]:
    return [_cell(each) for each in row]


def _cell(text: str) -> str:
    """Return a cell's text so that it cannot end the cell."""
    return " ".join(text.split()).replace("|", r"\|")
