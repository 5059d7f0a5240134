import pytest

from evals.ambiguity.rendered import documents, opened


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


def test_what_is_not_known_is_left_out(sql: str) -> None:
    assert "City" not in rendered(sql)["venues-003-room-a"]


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


def test_a_key_that_says_something_stays() -> None:
    sql = "CREATE TABLE isbn (code TEXT PRIMARY KEY, n INT); INSERT INTO isbn VALUES ('x-1', 4);"
    assert rendered(sql) == {"isbn-001-x-1": "Record: Isbn\nCode: x-1\nN: 4\n"}


@pytest.mark.parametrize(
    "value", ["'a\nb: c'", "'../../etc'", "'…'", "''", "NULL", "x'00ff'", "'" + "w" * 300 + "'"]
)
def test_any_value_gives_one_line_and_a_plain_file_name(value: str) -> None:
    (name, text), *more = rendered(
        f'CREATE TABLE "a ""b"" c" (v); INSERT INTO "a ""b"" c" VALUES ({value});'
    ).items()
    assert not more
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_")
    assert len(name) <= 60
    assert len(text.splitlines()) <= 2


def test_a_dump_without_rows_gives_nothing() -> None:
    assert rendered("CREATE TABLE t (a);") == {}
