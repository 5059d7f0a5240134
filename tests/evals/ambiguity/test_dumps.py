from pathlib import Path

import pytest

from evals.ambiguity.rendered import opened, select


def test_a_dump_is_built_and_read(sql: str) -> None:
    with opened(sql) as database:
        rows = select(database, "SELECT Name, Capacity FROM Venues WHERE cityId IS NULL")
        names = select(database, "SELECT city_name FROM Cities ORDER BY id")
    assert rows == [["Room A", 200]]
    assert names == [["Riga"], ["Bergen; old town"]]


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO missing VALUES (1);",
        "CREATE TABLE broken (id INTEGER PRIMARY KEY PRIMARY KEY);",
        "PRAGMA journal_mode = WAL;",
        "DROP TABLE t;",
        "DELETE FROM t;",
        "SELECT load_extension('x');",
        "CREATE VIRTUAL TABLE v USING fts5(a);",
        "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END;",
        "BEGIN; INSERT INTO missing VALUES (1);",
    ],
)
def test_a_statement_that_fails_or_may_not_run_is_passed_over(statement: str) -> None:
    sql = f"CREATE TABLE t (a); INSERT INTO t VALUES (1); {statement} INSERT INTO t VALUES (2);"
    with opened(sql) as database:
        assert select(database, "SELECT a FROM t") == [[1], [2]]


def test_a_dump_opens_no_file(tmp_path: Path) -> None:
    target = tmp_path / "other.db"
    with opened(f"ATTACH '{target}' AS o; CREATE TABLE o.t (a); VACUUM INTO '{target}';"):
        pass
    assert not target.exists()


def test_a_dump_that_never_ends_is_stopped() -> None:
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT max(x) FROM c"
    with opened("CREATE TABLE t (a);") as database:
        assert select(database, endless) is None


@pytest.mark.parametrize(
    "query",
    ["INSERT INTO t VALUES (1)", "CREATE TABLE u (a)", "SELECT b FROM t", "nonsense", "PRAGMA x"],
)
def test_a_query_only_reads(query: str) -> None:
    with opened("CREATE TABLE t (a);") as database:
        assert select(database, query) is None


def test_too_many_rows_are_no_answer() -> None:
    many = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c"
    with opened("CREATE TABLE t (a);") as database:
        assert select(database, f"{many} LIMIT 10001") is None
        assert len(select(database, f"{many} LIMIT 10") or []) == 10


def test_a_dump_that_is_no_sql_builds_nothing() -> None:
    with opened("'never closed; \x00 ; )") as database:
        assert select(database, "SELECT name FROM sqlite_master") == []
