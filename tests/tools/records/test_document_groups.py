import numpy as np

from agent.records.record_schema import Schema
from tests.tools.records.league import kind
from tools.records.document_groups import group_documents, kinds_of, sample_document

RANDOM = np.random.default_rng(3)


def around(centre: int, count: int, spread: float = 0.2) -> np.ndarray:
    rows = RANDOM.normal(scale=spread / 4, size=(count, 16))
    rows[:, centre] += 1
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_two_unlike_kinds_are_parted_and_the_larger_comes_first() -> None:
    rows = np.vstack((around(0, 10), around(1, 30)))
    large, small = group_documents(rows)
    assert large.tolist() == list(range(10, 40))
    assert small.tolist() == list(range(10))


def test_what_shows_no_clear_parting_stays_together() -> None:
    rows = RANDOM.normal(size=(40, 16))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    assert [len(each) for each in group_documents(rows)] == [40]
    assert [len(each) for each in group_documents(around(0, 3))] == [3]
    assert group_documents(np.zeros((0, 4))) == ()


def test_a_document_has_the_kinds_of_the_examples_that_it_is_most_like() -> None:
    rows = np.vstack((around(0, 3), around(1, 3)))
    places = {name: place for place, name in enumerate("abcdef")}
    seen = {"hotel": ("a",), "room": ("a",), "cup": ("d",), "any": ()}
    schema = Schema(kinds=tuple(kind(each, "id", documents=seen[each]) for each in seen))
    names = [[each.name for each in found] for found in kinds_of(schema, rows, places)]
    assert names == [["hotel", "room", "any"]] * 3 + [["cup", "any"]] * 3


def test_every_table_of_a_long_document_is_shown_with_its_first_rows() -> None:
    tables = [f"# Table {n}\n" + f"Row of {n} with a name.\n" * 60 for n in range(14)]
    shown = sample_document("a", "\n".join(["Fourteen tables.", *tables, *tables]), {}, 700)
    assert shown.extracts[0].text.strip() == "Fourteen tables."
    assert [each.text.splitlines()[0] for each in shown.extracts[1:]] == [
        f"# Table {n}" for n in range(14)
    ]
    assert all(each.text.count("Row of") >= 3 for each in shown.extracts[1:])


def test_a_long_document_is_shown_in_parts_from_all_over_it() -> None:
    text = "\n".join(f"Line {number} of the text." for number in range(1000))
    shown = sample_document("a", text, {}, 200)
    assert len(shown.extracts) == 5
    assert shown.extracts[0].start == 0
    assert shown.extracts[-1].text.endswith("Line 999 of the text.")
    assert all(text[each.start :].startswith(each.text) for each in shown.extracts)
