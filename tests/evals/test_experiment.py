"""An arm changes what it names, and only what a policy has."""

import pytest

from agent.errors import QuestionError, SettingsError
from agent.policy import Policy
from agent.reasoners.ledger import Usage
from evals.experiment import Arm, Collection, drawn, passing_folder, questions_of
from tools.runs.file_replies import FileReplies
from tools.sqlite_file import open_connections


@pytest.mark.parametrize("wrong", [{"wave": 0}, {"recall": 5}, {"on_ambiguity": "guess"}])
def test_an_impossible_value_is_refused_with_the_arms_name(wrong: dict[str, object]) -> None:
    with pytest.raises(SettingsError, match=f"arm 'a': {next(iter(wrong))}"):
        Arm(name="a", policy=wrong).over(Policy())


def test_a_sample_depends_on_ids_and_seed_not_on_the_files_order() -> None:
    ids = [f"q{number}" for number in range(20)]
    first = drawn(ids, 5, 3)
    assert len(first) == 5
    assert drawn(ids[::-1], 5, 3) == first != drawn(ids, 5, 4)


def test_a_collection_without_a_fitting_question_is_refused(inspected: Collection) -> None:
    with pytest.raises(QuestionError, match="'questions' has no question left"):
        questions_of(inspected.model_copy(update={"corpus_filter": "elsewhere.txt"}))


def test_a_folder_goes_when_all_is_closed_that_was_forgotten_in_it() -> None:
    before = len(open_connections())
    with passing_folder() as own:
        FileReplies(own / "replies.sqlite").put("key", "reply", Usage(1, 1))
    assert (own.exists(), len(open_connections())) == (False, before)
