"""What `compare records` puts beside each other: data, schema, reader and route."""

from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from agent.errors import SettingsError
from evals.compare.records_cases import DRAWN, SchemaSource
from evals.datasets.dataset import Recipe

__all__ = ("SECTIONS", "Route", "Section", "Setting", "section_of", "settings")

Route = Literal["records", "hybrid", "auto", "text"]
Section = Literal["schema", "hybrid", "mixed", "lists", "forms", "style"]
SECTIONS: Final[tuple[Section, ...]] = get_args(Section)
_RARE: Final = 5
"""Questions from which those on lists are taken, for each that is asked elsewhere."""
_ROUTES: Final[tuple[Route, ...]] = get_args(Route)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One row of the tables."""

    section: Section
    data: str
    """What the documents are, in words."""
    recipe: Recipe
    schema: SchemaSource
    reader: str
    """`drawn`, `rules` or a model's name."""
    planner: str
    """Who turns a question into a plan: `drawn` for the true one, else as the reader."""
    route: Route = "records"
    lists: bool = False
    """Whether only questions are asked that need an attribute of several values."""


def section_of(name: str) -> Section:
    """Return the section of that name; raise SettingsError where there is none."""
    for section in SECTIONS:
        if section == name:
            return section
    raise SettingsError(f"there is no section {name!r}; choose among {', '.join(SECTIONS)}")


def settings(section: Section, base: Recipe, reader: str) -> list[Setting]:
    """Return the rows of a section.

    `schema`: the drawn schema against an induced one, for each domain. `hybrid`: a schema that
    lacks attributes, by each route. `mixed`: documents of two kinds in one collection. `lists`:
    questions that need an attribute of several values, from five times as many. `forms`:
    values in one form (`1000000`) against many (`1M`, `1,000,000`). `style`: facts in lines of
    fields against facts in sentences.

    Args:
        section: which.
        base: the data that each row varies; its domains are those of `schema`.
        reader: who reads and plans, beside the drawn ones, which show what each of both loses.
    """
    first = replace(base, domains=base.domains[:1])
    match section:
        case "schema":
            each = [(name, replace(base, domains=(name,))) for name in base.domains]
        case "hybrid":
            return [
                Setting(
                    section=section, data=f"{first.domains[0]}, schema lacks attributes",
                    recipe=first, schema="lacking", reader=DRAWN, planner=reader,
                    route=route,
                )
                for route in _ROUTES
            ]  # fmt: skip
        case "mixed":
            both = replace(base, domains=("hotels", "trials"))
            each = [("hotels and trials in one", both)]
        case "lists":
            many = None if first.questions is None else _RARE * first.questions
            each = [(f"{first.domains[0]}, questions on lists", replace(first, questions=many))]
        case "forms":
            each = [
                (f"{first.domains[0]}, values in {said}", replace(first, varied=varied))
                for said, varied in (("one form", False), ("many forms", True))
            ]
        case "style":
            each = [
                (f"{first.domains[0]}, fields", replace(first, style="fields")),
                (f"{first.domains[0]}, sentences", replace(first, style="prose")),
            ]
    return [row for data, recipe in each for row in _readings(section, data, recipe, reader)]


def _readings(section: Section, data: str, recipe: Recipe, reader: str) -> list[Setting]:
    """Return what is drawn and what is not: schema, records and plan, one after the other."""
    ways: list[tuple[SchemaSource, str, str]] = [
        ("gold", DRAWN, DRAWN),
        ("gold", reader, DRAWN),
        ("gold", DRAWN, reader),
        ("gold", reader, reader),
        ("induced", reader, reader),
    ]
    return [
        Setting(
            section=section,
            data=data,
            recipe=recipe,
            schema=schema,
            reader=who,
            planner=planner,
            lists=section == "lists",
        )
        for schema, who, planner in ways
    ]
