from pathlib import Path

import pytest

from agent.errors import QueryError
from tests.tools.records.league import LEAGUE, stored
from tools.records.guarded_select import Selector, held_bytes

SQUARE = f"replace('{'a' * 900}', 'a', '{'a' * 900}')"
"""A text of 810,000 characters."""
ATTACKS = {
    "delete": "DELETE FROM team",
    "attach": "ATTACH DATABASE 'other.sqlite' AS other",
    "pragma": "PRAGMA query_only = OFF",
    "pragma as a table, counted": "SELECT count(*) FROM pragma_database_list",
    "vacuum into a file": "VACUUM INTO 'copy.sqlite'",
    "two statements": "SELECT 1; DELETE FROM team",
    "schema table, counted": "SELECT count(*) FROM sqlite_master",
    "schema table, quoted": 'SELECT count(*) FROM "main"."SQLITE_Master"',
    "hidden table, counted": "SELECT count(*) FROM _records",
    "hidden table, in other case": "SELECT data FROM _RECORDS",
    "hidden table by a name of its own":
        "WITH team AS (SELECT data FROM _kinds) SELECT * FROM team",
    "load an extension": "SELECT load_extension('evil.so')",
    "json table, counted": "SELECT count(*) FROM json_each('[1,2]')",
    "random bytes": "SELECT hex(randomblob(100000000))",
    "long separator": f"SELECT length(group_concat(name, {SQUARE})) FROM player",
    "recursion unnamed":
        "WITH n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n",
    "many unions": " UNION ALL ".join(["SELECT 1"] * 500),
    "deep expression": "SELECT " + "(" * 900 + "1" + ")" * 900,
    "long text": "SELECT '" + "x" * 2_000_000 + "'",
    "many arguments": f"SELECT max({','.join(['1'] * 100)})",
    "parameter far away": "SELECT ?999999",
    "null character": "SELECT 1\0; DELETE FROM team",
    "empty": "",
    "unclosed comment": "/* SELECT 1",
    "lone surrogate": "SELECT '\ud800'",
}  # fmt: skip

PLAYERS = ", ".join(f"player p{n}" for n in range(16))
ENDLESS = {
    "cross join": f"SELECT count(*) FROM {PLAYERS}",
    "cross join, aggregated": f"SELECT avg(p0.age) FROM {PLAYERS}",
    "window": f"SELECT sum(p0.age) OVER (ORDER BY p1.age) FROM {PLAYERS} ORDER BY 1",
}

LEGITIMATE = {
    "leading comment": ("-- how many\n/* players */ SELECT count(*) FROM player", [(4,)]),
    "with": ("WITH old AS (SELECT * FROM player WHERE age > 30) SELECT count(*) FROM old", [(1,)]),
    "list attribute":
        ("SELECT count(DISTINCT _record) FROM player__skills WHERE value LIKE 'RU%'", [(2,)]),
    "window": (
        (
            "SELECT name FROM (SELECT name, rank() OVER (ORDER BY age DESC) AS r FROM player) "
            "WHERE r = 1"
        ),
        [("Cid",)],
    ),
    "like without case": ("SELECT count(*) FROM team WHERE name LIKE '%É%'", [(1,)]),
}  # fmt: skip


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("guarded") / "records.sqlite"
    stored(place, LEAGUE).close()
    return place


@pytest.fixture(scope="module")
def selector(path: Path) -> Selector:
    return Selector(path)


@pytest.mark.parametrize("sql", ATTACKS.values(), ids=ATTACKS)
def test_what_is_no_harmless_select_is_refused(selector: Selector, path: Path, sql: str) -> None:
    before = path.read_bytes()
    with pytest.raises(QueryError) as caught:
        selector.run(sql)
    assert "was cut" not in str(caught.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize("sql", ENDLESS.values(), ids=ENDLESS)
def test_what_takes_too_long_is_cut(path: Path, sql: str) -> None:
    with pytest.raises(QueryError, match="was cut"):
        Selector(path, seconds=0.2).run(sql)


@pytest.mark.parametrize(("sql", "rows"), LEGITIMATE.values(), ids=LEGITIMATE)
def test_what_only_reads_the_kinds_is_run(
    selector: Selector, sql: str, rows: list[tuple[object, ...]]
) -> None:
    assert list(selector.run(sql).rows) == rows


HARD = {
    "many wildcards": ("SELECT ?1 LIKE ?2", ("a" * 50_000, "%a" * 120 + "%b")),
    "two long texts": ("SELECT instr(?1 || ?1, ?1 || 'b')", ("a" * 400_000,)),
}


@pytest.mark.parametrize(("sql", "parameters"), HARD.values(), ids=HARD)
def test_work_on_texts_grows_with_the_sum_of_their_lengths(
    path: Path, sql: str, parameters: tuple[str, ...]
) -> None:
    """With SQLite's own functions it takes 10^11 steps, during which no clock is looked at."""
    assert Selector(path, 60).run(sql, parameters).rows == ((0,),)


def test_what_may_be_read_is_told(selector: Selector) -> None:
    with pytest.raises(QueryError, match=r"'_records'.*award, player, player__skills, team"):
        selector.run("SELECT data FROM _records")


LONG = "a" * 990_000


@pytest.mark.parametrize(
    ("sql", "complaint"),
    [
        (f"SELECT name LIKE '{'a' * 251}' FROM team", "at most 250 characters"),
        ("SELECT a.name || ?1 FROM player a, player b, player c, player d", "larger than 64 MB"),
        ("SELECT x'00'", "bytes"),
    ],
)
def test_what_is_too_large_or_no_value_is_refused(
    selector: Selector, sql: str, complaint: str
) -> None:
    with pytest.raises(QueryError, match=complaint):
        selector.run(sql, (LONG,) if "?1" in sql else ())


@pytest.mark.parametrize(
    ("limit", "most", "fits", "more", "complaint"),
    [
        ("_MOST_ROWS", 3, "SELECT name FROM player LIMIT 3", "SELECT name FROM player", "3 rows"),
        ("_MOST_BYTES", 32, "SELECT 1, 2", "SELECT 1, 2, 3", "larger"),
    ],
)
def test_rows_and_columns_are_limited(
    selector: Selector, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, fits: str,
    more: str, complaint: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(f"tools.records.guarded_select.{limit}", most)
    assert selector.run(fits).rows
    with pytest.raises(QueryError, match=complaint):
        selector.run(more)


def test_what_is_sorted_may_take_so_much_memory_only(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if held_bytes() is None:
        pytest.skip("the system tells no memory")
    monkeypatch.setattr("tools.records.guarded_select._MOST_MEMORY", 30_000_000)
    players = ", ".join(f"player p{n}" for n in range(6))
    sql = f"SELECT ?1 || p0.name AS t FROM {players} ORDER BY t"
    with pytest.raises(QueryError, match="more than 30 MB of memory and was cut"):
        Selector(path, 60).run(sql, ("b" * 81_000,))


CLOCKED = {"fold": "fold(?1)", "like": "?1 LIKE '%_b%'", "instr": "instr(?1, 'b')"}


@pytest.mark.parametrize("function", CLOCKED.values(), ids=CLOCKED)
def test_functions_of_long_texts_look_at_the_clock(
    path: Path, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    """Long before SQLite's machine takes enough steps to look itself."""
    ticks = iter([0.0, 10.0, 10.0, 10.0])
    monkeypatch.setattr("tools.records.guarded_select.monotonic", lambda: next(ticks))
    with pytest.raises(QueryError, match="longer than 5 s"):
        Selector(path).run(f"SELECT {function}", (LONG,))
