from collections.abc import Callable

import pytest

from agent.answer import Answer
from agent.evidence import Entity
from evals.ambiguity.cases import Intended, same

Make = Callable[..., Answer]
TEXTS = {
    "hall": "Name: Grand Ballroom\nTags: quiet, by the sea\n",
    "room": "Name: Room A\nTags: quiet\n",
    "city": "Name: Riga\n",
}


class Texts:
    documents = tuple(TEXTS)

    def document_text(self, document: int) -> str:
        return list(TEXTS.values())[document]


@pytest.mark.parametrize(
    ("found", "names", "expected"),
    [
        (("hall", "room"), ("hall", "room"), True),
        (("hall", "city"), ("hall", "room"), False),
        (("hall",), ("hall", "room"), False),
        (("hall", "room"), None, True),
        (("hall", "room"), ("Ann", "Bob"), True),
    ],
    ids=["the same", "another", "too few", "names not known", "names of no documents"],
)
def test_number_and_documents_have_to_agree(
    answer_of: Make, found: tuple[str, ...], names: tuple[str, ...] | None, expected: bool
) -> None:
    meant = Intended(question="?", number=2, names=names)
    assert same(answer_of(found), meant, Texts()) is expected


def test_nothing_found_is_right_where_nothing_is(answer_of: Make) -> None:
    assert same(answer_of(), Intended(question="?", number=0, names=()), Texts())


@pytest.mark.parametrize(
    "members",
    [
        {"status": "partial"},
        {"status": "needs_clarification"},
        {"value": None},
        {"value": {"a": 2}},
    ],
    ids=["partial", "waiting", "no number", "by group"],
)
def test_what_is_no_answer_is_not_the_same(answer_of: Make, members: dict[str, object]) -> None:
    answer = answer_of(("hall", "room"), **members)
    assert not same(answer, Intended(question="?", number=2), Texts())


def test_a_reading_without_a_known_answer_is_never_met(answer_of: Make) -> None:
    assert not same(answer_of(), Intended(question="?"), Texts())


def test_measured_numbers_need_not_agree_to_the_last_digit(answer_of: Make) -> None:
    meant = Intended(question="?", number=2.33333)
    assert same(answer_of(value=7 / 3), meant, Texts())
    assert not same(answer_of(value=2.4), meant, Texts())


@pytest.mark.parametrize(
    ("found", "rows", "expected"),
    [
        (("hall", "room"), (("Grand Ballroom",), ("Room A",)), True),
        (("hall",), (("Grand Ballroom",), ("Room A",)), False),
        (("hall", "city"), (("Grand Ballroom",),), False),
        (("hall",), (("Grand Ballroom", "by the sea"), ("Grand Ballroom", "quiet")), True),
        ((), (), True),
    ],
    ids=["each a row", "too few", "too many", "rows of one document", "no rows"],
)
def test_each_row_is_found_and_nothing_else(
    answer_of: Make, found: tuple[str, ...], rows: tuple[tuple[str, ...], ...], expected: bool
) -> None:
    assert same(answer_of(found), Intended(question="?", number=9, rows=rows), Texts()) is expected


def test_an_item_that_is_no_document_stands_for_its_name_alone(answer_of: Make) -> None:
    item = Entity(name="Quiet", aliases=("calm",), documents=("hall", "room"))
    answer = answer_of(entities=(item,))
    assert same(answer, Intended(question="?", number=1, rows=(("quiet",),)), Texts())
    assert not same(answer, Intended(question="?", number=1, rows=(("Room A",),)), Texts())


def test_what_is_shown_beside_an_item_belongs_to_its_row(answer_of: Make) -> None:
    item = Entity(name="Quiet", documents=("hall",), shown={"Keeper": ("Anna", "Bo")})
    answer = answer_of(entities=(item,))
    rows = (("quiet", "anna"), ("quiet", "bo"))
    assert same(answer, Intended(question="?", number=2, rows=rows), Texts())
    assert not same(answer, Intended(question="?", number=1, rows=(("quiet", "cora"),)), Texts())
