"""Templates written by a model, checked before they are used."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Final

from pydantic import BaseModel, ConfigDict

from agent.reasoner import Failure, Prompt, PromptValues, Reasoner
from evals.prompting import render
from evals.spiderqa.database import Database, Table
from evals.spiderqa.template import Template, plain_template, wrong_with
from prompts.templates import one_line

__all__ = ("TemplateReply", "model_templates")

_ROWS: Final = 3
_CELL: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class TableValues(PromptValues):
    """A table to be put into a sentence."""

    table: Table


class TemplateReply(BaseModel):
    """A template."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    sentence: str
    """The sentence with a slot for each column and for the row's number."""


def model_templates(
    reasoner: Reasoner, database: Database, say: Callable[[str], None]
) -> dict[str, Template]:
    """Return a template for each table by a model.

    Where a reply cannot be used the table gets the template by code, and `say` is told why.
    """
    prompts = [_prompt(each) for each in database.tables]
    replies = reasoner.ask_many(prompts, TemplateReply)
    found = {}
    for table, reply in zip(database.tables, replies, strict=True):
        if isinstance(reply, Failure):
            why: str | None = str(reply.error)
            written = ""
        else:
            written = reply.sentence.strip()
            why = wrong_with(written, table)
        if why is not None:
            say(f"{database.name}, table {table.name}: a template by code instead: {why}")
        found[table.name] = written if why is None else plain_template(table)
    return found


def _prompt(table: Table) -> Prompt:
    rows = islice(table.rows.values(), _ROWS)
    shown = (", ".join(one_line(str(cell), _CELL) for cell in row) for row in rows)
    relations = (f"{each.column} refers to {each.to} of {each.table}" for each in table.references)
    return render(
        "spiderqa/template",
        {
            "table": one_line(table.name),
            "columns": ", ".join(map(one_line, table.columns)),
            "relations": "; ".join(relations) or "none",
            "rows": "\n".join(shown) or "(none)",
        },
        TableValues(table=table),
    )
