from pathlib import Path

import pytest

from evals.spiderqa.conversion import Asked, Converted, NotConverted, convert
from evals.spiderqa.databases import Rendered, plain_template, read_database, render


def converted(path: Path, sql: str) -> tuple[Converted, Rendered]:
    database = read_database(path, "ships")
    templates = {each.name: plain_template(each) for each in database.tables}
    rendered = render(database, templates)
    asked = Asked(db_id="ships", question="What?", query=sql)
    return convert(asked, path, database, rendered), rendered


@pytest.mark.parametrize(
    ("sql", "name", "logic", "value", "evidence"),
    [
        ("SELECT count(*) FROM Ship", "count", "single table", 5, "Ship 10 11 12 13 14"),
        ("select COUNT(Tonnage) from ship;", "count", "single table", 4, "Ship 10 11 13 14"),
        (
            "SELECT count(DISTINCT Kind) FROM Ship WHERE Tonnage > 100",
            "count distinct", "single table", 2 - 1, "Ship 10 11 13",
        ),
        ("SELECT avg(Tonnage) FROM Ship WHERE Kind = 'Brig'", "avg", "single table", 272.166667,
         "Ship 10 11 13"),
        ("SELECT sum(Tonnage) FROM Ship", "sum", "single table", 896.5, "Ship 10 11 13 14"),
        (
            ("SELECT count(*) FROM Ship AS T1 JOIN Battle AS T2 ON T1.Lost_in_battle = T2.ID "
            'WHERE T2.Name = "Rusion"'),
            "count", "join", 2, "Battle 1; Ship 10 11",
        ),
        (
            ("SELECT sum(s.Tonnage) FROM Ship s, Battle b WHERE s.Lost_in_battle = b.ID "
            "AND (b.Year = 1205 OR b.Year = 1208)"),
            "sum", "join", 80, "Battle 2; Ship 14",
        ),
        (
            ("SELECT count(*) FROM Battle WHERE ID NOT IN (SELECT Lost_in_battle FROM Ship "
            "WHERE Lost_in_battle IS NOT NULL)"),
            "count", "nested", 1, "Battle 3",
        ),
        (
            "SELECT count(*) FROM (SELECT Kind FROM Ship GROUP BY Kind HAVING count(*) > 2)",
            "count", "nested", 1, "Ship 10 11 13",
        ),
    ],
)  # fmt: skip
def test_the_answer_comes_from_the_rows_of_the_evidence(
    ships: Path, sql: str, name: str, logic: str, value: float, evidence: str
) -> None:
    found, rendered = converted(ships, sql)
    wanted = [
        (table.lower(), int(row))
        for table, *rows in map(str.split, evidence.split(";"))
        for row in rows
    ]
    assert (found.aggregate.name, found.logic, found.value) == (name, logic, value)
    assert list(found.evidence) == wanted
    record = found.record(1, rendered)
    assert [each["text"] for each in record["gold_evidence"]] == [  # type: ignore[index,union-attr]
        rendered.text[slice(*rendered.places[place])] for place in wanted
    ]


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("SELECT Name FROM Ship", "no aggregate"),
        ("SELECT max(Tonnage) FROM Ship", "extreme"),
        ("SELECT avg(Tonnage), count(*) FROM Ship", "more than one"),
        ("SELECT count(*), Kind FROM Ship GROUP BY Kind", "more than one"),
        ("SELECT count(*) FROM Ship GROUP BY Kind", "GROUP"),
        ("SELECT count(*) FROM Ship UNION SELECT count(*) FROM Battle", "UNION"),
        ("SELECT count(*) FROM Ship WHERE Tonnage > 9000", "no row"),
        ("SELECT avg(Tonnage) FROM Ship WHERE Tonnage > 9000", "no row"),
        ("SELECT avg(Name) FROM Ship", "what is no number"),
        ("SELECT count(*) FROM Nowhere", "fails"),
        ("SELECT count(*) FROM (SELECT Kind FROM Ship LIMIT 2)", "more than groups"),
        ("SELECT count(*) FROM Ship JOIN (SELECT ID FROM Battle) ON 1", "joins a query"),
        ("DELETE FROM Ship", "no SELECT"),
    ],
)
def test_what_is_no_aggregate_question_is_refused_with_the_reason(
    ships: Path, sql: str, why: str
) -> None:
    with pytest.raises(NotConverted, match=why):
        converted(ships, sql)


def test_a_query_that_never_ends_is_interrupted(ships: Path) -> None:
    endless = (
        "SELECT count(*) FROM Ship WHERE Ship_ID < (WITH RECURSIVE n(i) AS "
        "(SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n)"
    )
    with pytest.raises(NotConverted, match="interrupted"):
        converted(ships, endless)
