"""What is drawn depends on the seed and the ids; what is asked can be told from anything else."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agent.errors import QuestionError
from evals.experiments.arms import Collection, drawn, identity, questions_of
from evals.questions import Record


def ids(records: list[Record]) -> list[str]:
    return [record.id for record in records]


def test_a_sample_depends_on_ids_and_seed_not_on_the_files_order(
    record_of: Callable[..., Record],
) -> None:
    records = [record_of(id=f"q{number}") for number in range(20)]
    first = drawn(records, 5, 3)
    assert ids(first) == sorted(ids(first), key=ids(records).index)
    assert set(ids(drawn(records[::-1], 5, 3))) == set(ids(first))
    assert ids(drawn(records, 5, 4)) != ids(first)


def test_a_sample_larger_than_the_file_is_all_of_it(letters: Collection) -> None:
    records, available = questions_of(letters.model_copy(update={"sample": 9}))
    assert (len(records), available) == (3, 3)


def test_a_collection_without_a_fitting_question_is_refused(letters: Collection) -> None:
    with pytest.raises(QuestionError, match="'letters' has no question left"):
        questions_of(letters.model_copy(update={"corpus_filter": "elsewhere.txt"}))


def test_the_identity_has_no_place_of_this_machine(letters: Collection, tmp_path: Path) -> None:
    records, available = questions_of(letters)
    told = identity(letters, records, available)
    assert str(tmp_path) not in told.model_dump_json()
    letters.questions.write_text(letters.questions.read_text() + "\n")
    assert identity(letters, records, available) != told
