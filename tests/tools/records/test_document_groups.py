import numpy as np

from agent.records.record_schema import Schema
from tests.tools.records.league import kind
from tools.records.document_groups import (
    document_vectors,
    examples_of,
    group_documents,
    kinds_of,
    sample_document,
)

RANDOM = np.random.default_rng(3)


def around(centre: int, count: int, spread: float = 0.2) -> np.ndarray:
    rows = RANDOM.normal(scale=spread / 4, size=(count, 16))
    rows[:, centre] += 1
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_a_document_lies_in_the_mean_direction_of_its_chunks() -> None:
    rows = document_vectors(np.eye(3)[[0, 1, 2]], np.array([0, 0, 2]), 3)
    assert np.allclose(rows[0], [0.5**0.5, 0.5**0.5, 0])
    assert np.allclose(rows[1], 0)
    assert np.allclose(rows[2], [0, 0, 1])


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


def test_examples_reach_from_the_centre_to_the_edge() -> None:
    rows = np.array([[1, 0], [0.9, 0.435], [0, 1], [0.97, 0.243]])
    assert examples_of(rows, np.array([0, 1, 3]), 2) == (3, 0)
    assert len(examples_of(rows, np.array([0, 1, 3]), 9)) == 3


def test_a_document_has_the_kinds_of_the_examples_that_it_is_most_like() -> None:
    rows = np.vstack((around(0, 3), around(1, 3)))
    places = {name: place for place, name in enumerate("abcdef")}
    seen = {"hotel": ("a",), "room": ("a",), "cup": ("d",), "any": ()}
    schema = Schema(kinds=tuple(kind(each, "id", documents=seen[each]) for each in seen))
    names = [[each.name for each in found] for found in kinds_of(schema, rows, places)]
    assert names == [["hotel", "room", "any"]] * 3 + [["cup", "any"]] * 3


def test_a_short_document_is_shown_whole() -> None:
    shown = sample_document("a", "It has 120 rooms.", {"Author": "B"}, 50)
    assert shown.text == "It has 120 rooms."
    assert len(sample_document("a", "word " * 900, {}, 1000).extracts) == 1


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
