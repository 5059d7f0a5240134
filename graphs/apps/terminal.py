"""What is written to a terminal or a pipe: text that cannot steer it, JSON, one-line errors."""

import io
import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console
    from rich.text import Text

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_BREAK = re.compile(r"\s*[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]\s*")
_PART = re.compile(r'([;\t\r\n][\s;"]*)([^;\t\r\n]+)')
_FORMULA = re.compile(r"\s*(?:[=@＝＠]|[-+－＋](?![-+\d\s.,()/%]*$))")


def printable(text: str) -> str:
    r"""Replace control characters and changes of direction; line breaks and tabs stay.

    A form feed, which parts pages, goes.

    >>> printable("red \x1b[31m\r\n")
    'red �[31m\n'
    """
    return _STEERING.sub("�", text.replace("\r\n", "\n").replace("\f", ""))


def one_line(text: str) -> str:
    """Return printable text without line breaks, so that no name forges a line of its own."""
    return printable(_BREAK.sub(" ", text))


def styled(text: str, style: str = "") -> "Text":
    """Return printable text in one style, no part of it read as markup.

    Lines behind the first are indented: none passes for one of Headcount's own.
    """
    from rich.text import Text

    return Text(re.sub(r"\n(?=\S)", "\n  ", printable(text)), style=style)


def say(console: "Console", text: str, style: str = "") -> None:
    """Print text as it is; a terminal wraps it between words, a pipe gets it on one line."""
    console.print(styled(text, style), soft_wrap=not console.is_terminal)


def write_json(value: "BaseModel | Mapping[str, object]", *, indent: int | None = 2) -> None:
    """Write a value to stdout as JSON; characters that the encoding lacks are escaped."""
    narrow = "utf" not in (sys.stdout.encoding or "utf-8").lower()
    if isinstance(value, Mapping):
        text = json.dumps(value, ensure_ascii=narrow, indent=indent)
    else:
        text = value.model_dump_json(indent=indent, ensure_ascii=narrow)
    sys.stdout.write(_STEERING.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text) + "\n")


def write_line(text: str, *, stderr: bool = False) -> None:
    """Write a line to stdout or stderr as it is, for people and programs."""
    (sys.stderr if stderr else sys.stdout).write(f"{one_line(text)}\n")


def write_row(cells: Sequence[str], to: IO[str]) -> None:
    """Write a tab-separated line, its cells no formulas to a spreadsheet."""
    told = (inert_parts(one_line(cell).replace("\t", " ")) for cell in cells)
    to.write("\t".join(told) + "\n")


def inert(cell: str) -> str:
    """Return a cell that a spreadsheet takes for no formula.

    Source: https://owasp.org/www-community/attacks/CSV_Injection.

    >>> inert("=1+1"), inert("-1.5"), inert("lease")
    ("'=1+1", '-1.5', 'lease')
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def inert_parts(cell: str) -> str:
    """Return a cell that is no formula where a spreadsheet parts it, at semicolons, tabs or lines.

    Quotes do not keep it whole: to such a spreadsheet they stand within a cell, behind a comma.

    >>> inert_parts("a lease; =1+1")
    "a lease; '=1+1"
    """
    return _PART.sub(lambda part: part[1] + inert(part[2]), inert(cell))


def usable_streams() -> None:
    """Open closed standard streams on the null device; write `?` for what an encoding lacks.

    The next file that is opened would get a closed stream's descriptor. Raises SystemExit: standard
    output is closed.
    """
    closed = sys.stdout is None
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    if closed:
        told = "standard output is closed, so nothing was done: open it or send it to a file"
        write_line(f"headcount: {told}", stderr=True)
        raise SystemExit(1)
