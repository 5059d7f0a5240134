"""Small tables of a library and of hotels, and plans told in one line."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pytest

from agent.reasoners.rules.records.query import query
from agent.records.query_plan import Aggregate, Combination, Compare, Expression, Plan, Query, Test
from agent.records.record_replies import QueryReply
from agent.records.record_schema import (
    Attribute,
    ColumnFacts,
    FoundValue,
    Kind,
    Link,
    Schema,
    TableFacts,
)

Row = Mapping[str, object]


@dataclass(frozen=True)
class SmallTables:
    """Tables held in memory."""

    schema: Schema
    rows: Mapping[str, Sequence[Row]]

    @property
    def facts(self) -> Sequence[TableFacts]:
        return [
            TableFacts(
                kind=kind.name,
                rows=len(self.rows[kind.name]),
                documents=1,
                columns=tuple(self._column(kind, each) for each in kind.attributes),
            )
            for kind in self.schema.kinds
        ]

    def _column(self, kind: Kind, attribute: Attribute) -> ColumnFacts:
        held = [row[attribute.name] for row in self.rows[kind.name]]
        values = [each for each in held if each is not None]
        numeric = attribute.type in {"integer", "number"}
        ends = values if numeric or attribute.type == "date" else []
        return ColumnFacts(
            attribute=attribute.name,
            filled=len(values),
            distinct=len(set(values)),
            mean=sum(values) / len(values) if numeric and values else None,
            least=min(ends, default=None),
            most=max(ends, default=None),
            values=() if numeric else tuple(Counter(values).most_common(50)),
        )

    def find(self, text: str, limit: int = 20) -> Sequence[FoundValue]:
        wanted = text.casefold()
        found = [
            FoundValue(kind=kind.name, attribute=each.name, value=value, rows=rows)
            for kind in self.schema.kinds
            for each in kind.attributes
            if each.type == "text"
            for value, rows in Counter(row[each.name] for row in self.rows[kind.name]).items()
            if wanted in str(value).casefold()
        ]
        return sorted(found, key=lambda each: str(each.value).casefold() != wanted)[:limit]


def kind_of(name: str, columns: str, **units: str) -> Kind:
    """Return a kind from `name:type` pairs; `type*` holds several values a record."""
    attributes = []
    for pair in columns.split():
        attribute, kind = pair.split(":")
        attributes.append(
            Attribute(
                name=attribute,
                type=kind.rstrip("*"),  # type: ignore[arg-type]  # one of the types
                unit=units.get(attribute),
                many=kind.endswith("*"),
            )
        )
    return Kind(name=name, attributes=tuple(attributes))


def tables_of(kinds: Sequence[Kind], rows: Mapping[str, str], links: str = "") -> SmallTables:
    """Return tables whose rows are written one a line, cells parted by bars."""
    held: dict[str, list[Row]] = {}
    for kind in kinds:
        lines = [line.split("|") for line in rows[kind.name].strip().splitlines()]
        held[kind.name] = [
            {each.name: cell(each, text) for each, text in zip(kind.attributes, line, strict=True)}
            for line in lines
        ]
    made = [each.replace(">", ".").split(".") for each in links.split()]
    return SmallTables(
        Schema(
            kinds=tuple(kinds),
            links=tuple(
                Link(kind=a, attribute=b, to_kind=c, to_attribute=d) for a, b, c, d in made
            ),
        ),
        held,
    )


def cell(attribute: Attribute, text: str) -> object:
    """Return a value of the attribute's type."""
    bare = text.strip()
    if not bare:
        return None
    made: Mapping[str, Callable[[str], object]] = {
        "integer": int,
        "number": float,
        "boolean": lambda each: each == "yes",
    }
    return made.get(attribute.type, str)(bare)


@pytest.fixture(scope="session")
def library() -> SmallTables:
    return tables_of(
        [
            kind_of(
                "member", "member_id:integer first_name:text last_name:text joined:date sex:text"
            ),
            kind_of(
                "book",
                "book_id:integer title:text genre:text pages:integer author_id:integer "
                "publication_year:integer shelf:integer",
            ),
            kind_of("author", "author_id:integer name:text country:text birth_year:integer"),
            kind_of(
                "loan",
                "loan_id:integer member_id:integer book_id:integer loan_date:date fine:number",
                fine="EUR",
            ),
        ],
        {
            "member": "1|Ada|Moss|2019-04-01|F\n2|Ben|Ortiz|2021-09-15|M\n3|Cleo|Moss|2022-01-20|F",
            "book": "1|Low Tide|Mystery|310|7|1999|4\n2|Glass Orchard|Poetry|90|8|2015|4\n"
            "3|The Long Fen|Mystery|450|7|2020|9",
            "author": "7|Ingrid Vale|Norway|1961\n8|Tomas Reyes|Chile|1985",
            "loan": "1|1|1|2023-02-01|0\n2|1|3|2023-03-05|2.5\n3|2|1|2024-01-11|4",
        },
        "book.author_id>author.author_id loan.member_id>member.member_id loan.book_id>book.book_id",
    )


@pytest.fixture(scope="session")
def hotels() -> SmallTables:
    return tables_of(
        [
            kind_of(
                "hotel",
                "hotel_name:text city:text rooms:integer rating:number price_per_night:number "
                "opened:date has_pool:boolean amenities:text* occupancy_rate:number "
                "season:integer clubsize:integer average_stay:number",
                price_per_night="USD",
                occupancy_rate="%",
            )
        ],
        {
            "hotel": "Grand Astor|Lisbon|120|4.5|210|1998-05-01|yes|spa|0.71|2022|3|2.5\n"
            "Blue Pine|Oslo|45|3.9|130|2011-03-12|no|sauna|0.55|2023|1|4\n"
            "Casa Vento|Lisbon|60|4.1|95|2005-07-30|yes|bar|0.4|2022|2|3\n"
            "Hotel Kestrel|Vienna|200|4.8|320|2019-01-10|no|spa|0.9|2023|5|2"
        },
    )


@pytest.fixture(scope="session")
def ask() -> Callable[[str, SmallTables], QueryReply]:
    def asked(question: str, tables: SmallTables) -> QueryReply:
        values = {"question": question, "tables": tables, "interpretation": None}
        return query({**values, "tried": "", "error": ""})

    return asked


@pytest.fixture(scope="session")
def made() -> Callable[[str, str, str], SmallTables]:
    def of_one(name: str, columns: str, rows: str) -> SmallTables:
        return tables_of([kind_of(name, columns)], {name: rows})

    return of_one


@pytest.fixture(scope="session")
def told() -> Callable[[QueryReply], str]:
    return lambda reply: plan_line(reply.plan) if reply.plan is not None else "nothing"


def plan_line(plan: Plan) -> str:
    """Tell a plan in one line: `count loan[member[sex = 'F']]`."""
    if isinstance(plan, Combination):
        return f"{plan_line(plan.left)} {plan.operator} {plan_line(plan.right)}"
    measured = term(plan.measure) or ",".join(map(term, plan.distinct))
    line = f"{plan.operation}({measured}) {plan.kind}{held(plan.where)}"
    line += f" by {','.join(map(term, plan.group_by))}" if plan.group_by else ""
    line += changed(plan)
    line += f" {plan.order}" if plan.order else ""
    line += f" {plan.limit}" if plan.limit else ""
    return line + (f" show {','.join(map(term, plan.show))}" if plan.show else "")


def changed(plan: Query) -> str:
    change = plan.change
    if change is None:
        return ""
    return f" {change.form} {term(change.period)} {change.start:g} to {change.end:g}"


def held(test: Test | None) -> str:
    return f"[{test_line(test)}]" if test is not None else ""


def test_line(test: Test) -> str:
    match test.is_a:
        case "all":
            return " and ".join(map(test_line, test.parts))
        case "any":
            return f"({' or '.join(map(test_line, test.parts))})"
        case "not":
            return f"not {test_line(test.part)}"
        case "related":
            few = f"{test.at_least}.." if test.at_least > 1 else ""
            many = f"0..{test.at_most} " if test.at_most is not None else few
            return f"{many}{test.kind}{held(test.where)}"
        case _:
            return compared(test)


def compared(test: Compare) -> str:
    right = f" {test.value!r}" if test.value is not None else ""
    right = f" {term(test.column)}" if test.column is not None else right
    right = f" {mean(test.aggregate)}" if test.aggregate is not None else right
    return f"{term(test.left)} {test.comparator}{right}"


def mean(aggregate: Aggregate) -> str:
    return f"{aggregate.operation}({term(aggregate.of)})"


def term(expression: Expression | None) -> str:
    if expression is None:
        return ""
    return str(getattr(expression, "attribute", getattr(expression, "number", "?")))


test_line.__test__ = False  # type: ignore[attr-defined]  # not a test
