from pathlib import Path
from typing import cast

import pytest

from agent.policy import Policy
from evals.ambiguity.cases import Case, Intended, Words
from evals.simulated_users import Opener, Trial, Trier, Unsure
from tools.corpus.corpus import Corpus


class Broken:
    """Opens nothing."""

    def session(self, *_: object) -> object:
        raise RuntimeError("no such model")


CASE = Case(
    id="q1",
    question="How many?",
    codes=("A1",),
    intended=(Intended(question="One?", number=1), Intended(question="Unknown?")),
    source=Words("?"),
)


def test_what_goes_wrong_is_that_readings_result() -> None:
    trier = Trier(cast("Opener", Broken()), lambda _: Unsure())
    (trial,) = trier.tries(CASE, cast("Corpus", Path()), Policy())
    assert (trial.meant, trial.right, trial.error) == ("One?", False, "RuntimeError: no such model")


@pytest.mark.parametrize(
    ("value", "expected", "error"), [(4, 4, 0.0), (6, 4, 0.5), (None, 4, 1.0), (2, 0, 2.0)]
)
def test_the_count_error_is_normalised(value: float | None, expected: float, error: float) -> None:
    assert Trial(meant="?", expected=expected, value=value).nace == error
