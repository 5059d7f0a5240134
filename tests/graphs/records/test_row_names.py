"""How rows that would read alike are told apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.records.record import Cell, Record
from graphs.records.row_names import Named, told_apart


def row(name: str, *, label: str = "", document: str = "d", **cells: str | float) -> Named:
    stated = tuple(Cell(attribute=each, value=value) for each, value in cells.items())
    record = Record(kind="tool", document=document, label=label, cells=stated)
    return Named(name=name, record=record)


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        pytest.param([row("Lee", label="Tool 1"), row("Lee", label="Tool 2")],
                     ["Lee (Tool 1)", "Lee (Tool 2)"], id="by label"),
        pytest.param([row("Lee", document="a"), row("Lee", document="b")],
                     ["Lee (a)", "Lee (b)"], id="by document"),
        pytest.param([row("d", weight=2.0), row("d", weight=3.5)],
                     ["d (weight 2)", "d (weight 3.5)"], id="by a value"),
        pytest.param([row("d", a="x", b="y"), row("d", a="x", b="z"), row("d", a="w", b="y")],
                     ["d (a x, b y)", "d (a x, b z)", "d (a w, b y)"], id="by two values"),
        pytest.param([row("d", a="x"), row("d", a="x")],
                     ["d (1 of 2)", "d (2 of 2)"], id="by number, where they are the same"),
        pytest.param([row("d", note="w" * 99), row("d", note="v" * 99)],
                     ["d (1 of 2)", "d (2 of 2)"], id="a text is no name"),
        pytest.param([row("Lee", a="x"), row("Ek", a="x")], ["Lee", "Ek"], id="not at all"),
    ],
)  # fmt: skip
def test_rows_of_one_name_are_told_apart(rows: list[Named], names: list[str]) -> None:
    assert told_apart(rows) == names


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.sampled_from("de"))))
def test_no_two_rows_read_alike(rows: list[tuple[str, str, str]]) -> None:
    names = told_apart([row(name, document=place, c=value) for name, value, place in rows])
    assert len(set(names)) == len(rows)
