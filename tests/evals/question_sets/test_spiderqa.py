import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from evals.question_sets.spiderqa import Asked, Converted, NotConverted, convert, written_out
from evals.questions import load
from tests.evals.question_files import evaluate

ASKED = [
    ("ships", "How many ships are there?", "SELECT count(*) FROM Ship"),
    ("ships", "Count the ships.", "select COUNT( * ) from ship ;"),
    ("ships", "What is the total tonnage?", "SELECT sum(Tonnage) FROM Ship"),
    ("ships", "What is the mean tonnage?", "SELECT avg(Tonnage) FROM Ship"),
    ("ships", "Which ships are brigs?", "SELECT Name FROM Ship WHERE Kind = 'Brig'"),
    ("copy", "How many battles are there?", "SELECT count(*) FROM Battle"),
    ("gone", "How many are gone?", "SELECT count(*) FROM gone"),
]


@pytest.fixture
def asked(tmp_path: Path, ships: Path) -> Path:
    copy = ships.parents[1] / "copy" / "copy.sqlite"
    copy.parent.mkdir()
    copy.write_bytes(ships.read_bytes())
    path = tmp_path / "dev.json"
    rows = [{"db_id": db, "question": text, "query": sql, "toks": []} for db, text, sql in ASKED]
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def build(databases: Path, asked: Path, into: Path) -> Result:
    given = ("--databases", databases, "--questions", asked, "--into", into)
    return evaluate("build spiderqa", *given)


def test_a_query_is_asked_once_and_what_is_left_out_is_told(
    databases: Path, asked: Path, tmp_path: Path
) -> None:
    into = tmp_path / "made"
    told = build(databases, asked, into).stderr
    questions = load(into / "questions.jsonl")
    assert {each.question: each.number for each in questions} == {
        "How many ships are there?": 5,
        "What is the total tonnage?": 896.5,
        "What is the mean tonnage?": 224.125,
    }
    assert "left out 'Count the ships.': the same question or query came before\n" in told
    assert "left out 'copy': no rows, or only tables that others have too\n" in told
    assert "left out 'Which ships are brigs?': it asks for no count" in told
    assert "left out 'gone': " in told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "no questions in Spider's format"),
        ('[{"db_id": "ships"}]', "no questions in Spider's format"),
        ('[{"db_id": "gone", "question": "?", "query": "SELECT 1"}]', "none of 1 questions"),
    ],
)
def test_what_cannot_be_converted_is_told_in_a_line(
    databases: Path, ships: Path, tmp_path: Path, text: str, said: str
) -> None:
    asked = tmp_path / "dev.json"
    asked.write_text(text, encoding="utf-8")
    result = build(databases, asked, tmp_path / "made")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].startswith("error: ")
    assert said in result.stderr


def test_every_row_is_a_sentence_and_has_its_place(ships: Path) -> None:
    document = written_out(ships)
    start, end = document.places["ship", 12]
    assert document.text[start:end] == (
        "Ship 3: ship id is 12; name is Lettice; tonnage is not given; kind is Cog; "
        "lost in battle is 2."
    )
    assert document.text.startswith("Records of ships\n\n# battle\nBattle 1: id is 1; name is")
    assert "tonnage is 391;" in document.text
    rows = [("battle", each) for each in (1, 2, 3)] + [("ship", each) for each in range(10, 15)]
    assert list(document.places) == rows


def test_a_table_that_repeats_another_is_written_once(make: Callable[[str, str], Path]) -> None:
    script = "CREATE TABLE a (x TEXT); CREATE TABLE b (X TEXT); CREATE TABLE c (y TEXT);"
    same = "".join(f"INSERT INTO {name} VALUES ('one'), ('two');" for name in "abc")
    document = written_out(make("twice", script + same))
    assert [name for name, _ in document.places] == ["a", "a", "c", "c"]


def test_text_that_is_no_utf8_is_read(make: Callable[[str, str], Path]) -> None:
    path = make("old", "CREATE TABLE t (x TEXT); INSERT INTO t VALUES (CAST(x'4DFC6C' AS TEXT));")
    assert "x is Mül." in written_out(path).text


def converted(path: Path, sql: str) -> Converted:
    return convert(Asked(db_id="ships", question="What?", query=sql), written_out(path))


@pytest.mark.parametrize(
    ("sql", "name", "logic", "value", "evidence"),
    [
        ("select COUNT(Tonnage) from ship;", "count", "single table", 4, "Ship 10 11 13 14"),
        (
            "SELECT count(DISTINCT Kind) FROM Ship WHERE Tonnage > 100",
            "count distinct", "single table", 2 - 1, "Ship 10 11 13",
        ),
        ("SELECT avg(Tonnage) FROM Ship WHERE Kind = 'Brig'", "avg", "single table", 272.166667,
         "Ship 10 11 13"),
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
    ],
)  # fmt: skip
def test_the_answer_comes_from_the_rows_of_the_evidence(
    ships: Path, sql: str, name: str, logic: str, value: float, evidence: str
) -> None:
    found = converted(ships, sql)
    wanted = [
        (table.lower(), int(row))
        for table, *rows in map(str.split, evidence.split(";"))
        for row in rows
    ]
    assert (found.aggregate.name, found.aggregate.logic, found.value) == (name, logic, value)
    assert list(found.rows) == wanted
    assert [each["text"] for each in found.record(1)["gold_evidence"]] == [
        found.document.text[slice(*found.document.places[place])] for place in wanted
    ]


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("SELECT Name FROM Ship", "no count, sum or average"),
        ("SELECT max(Tonnage) FROM Ship", "no count, sum or average"),
        ("SELECT avg(Tonnage), count(*) FROM Ship", "no count, sum or average"),
        ("SELECT count(*) FROM Ship GROUP BY Kind", "GROUP"),
        ("SELECT count(*) FROM Ship UNION SELECT count(*) FROM Battle", "UNION"),
        ("SELECT count(*) FROM Ship WHERE Tonnage > 9000", "no row"),
        ("SELECT avg(Name) FROM Ship", "what is no number"),
        ("SELECT count(*) FROM Nowhere", "fails"),
        ("SELECT count(*) FROM (SELECT Kind FROM Ship LIMIT 2)", "not of tables"),
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
