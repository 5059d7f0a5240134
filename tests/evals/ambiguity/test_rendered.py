from pathlib import Path

import pytest

from evals.ambiguity.cases import Case, Dump, Source, Words
from evals.ambiguity.rendered import Places, documents, opened, select
from evals.scopes import Corpora


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


def rendered(sql: str) -> dict[str, str]:
    with opened(sql) as database:
        return documents(database)


def test_each_thing_is_a_document_with_a_header(sql: str) -> None:
    texts = rendered(sql)
    assert texts["venues-001-grand-ballroom"] == (
        "Record: Venues\nName: Grand Ballroom\nEvent Space: Banquet Hall\nCapacity: 200\n"
        "City: Riga\nTags: quiet, by the sea\n"
    )


def test_what_a_row_refers_to_is_named(sql: str) -> None:
    assert "City: Bergen; old town\n" in rendered(sql)["venues-002-the-atrium"]


def test_a_table_that_only_links_others_is_no_thing_of_its_own(sql: str) -> None:
    texts = rendered(sql)
    assert len(texts) == 7
    assert texts["tags-001-quiet"] == "Record: Tags\nLabel: quiet\nVenues: Grand Ballroom, Room A\n"


def test_a_link_that_says_more_is_a_thing() -> None:
    sql = """
    CREATE TABLE f (id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE p (id INTEGER PRIMARY KEY, FirstName TEXT, LastName TEXT);
    CREATE TABLE roles (f INT REFERENCES f(id), p INT REFERENCES p(id), part TEXT);
    INSERT INTO f VALUES (1, 'Stalker'); INSERT INTO p VALUES (1, 'Alisa', 'Freindlich');
    INSERT INTO roles VALUES (1, 1, 'wife'), (9, 1, 'none');
    """
    texts = rendered(sql)
    assert texts["roles-001-wife"] == "Record: Roles\nF: Stalker\nP: Alisa Freindlich\nPart: wife\n"
    assert texts["roles-002-none"].splitlines()[1] == "F: 9"


def case_of(source: Source) -> Case:
    return Case(id="q1", question="How many?", codes=(), source=source)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.txt").write_text(f"This is {name}.\n", encoding="utf-8")
    return folder


def places(tmp_path: Path, documents: Path | None = None) -> Places:
    into = tmp_path / "into"
    into.mkdir(exist_ok=True)
    return Places(documents, into, Corpora(into, print))


def test_a_database_becomes_a_document_a_thing(tmp_path: Path, folder: Path, sql: str) -> None:
    corpus = places(tmp_path, folder).of(case_of(Dump("hotels", sql)))
    assert len(corpus.documents) == 7
    assert {"Name", "Capacity", "City"} <= {field.name for field in corpus.fields}


def test_words_alone_are_their_own_corpus(tmp_path: Path) -> None:
    corpus = places(tmp_path).of(case_of(Words("Where is it?")))
    assert corpus.document_text(0) == "Where is it?\n"
