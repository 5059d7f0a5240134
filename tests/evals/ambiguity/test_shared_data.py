import os
from collections import Counter
from pathlib import Path

import pytest

from evals.ambiguity.cases import Dump, load
from evals.ambiguity.rendered import documents, opened

DATA = Path(os.environ.get("HEADCOUNT_DATA", Path(__file__).parents[3] / "../shared/data"))
pytestmark = pytest.mark.skipif(
    not (DATA / "ambrosia").is_dir(), reason="the shared data is not here: set HEADCOUNT_DATA"
)


def test_every_question_of_our_own_is_read() -> None:
    loaded = load([DATA / "questions" / "ambiguous_dev.jsonl"])
    assert (len(loaded.cases), loaded.left_out) == (35, {})
    assert sum(case.control for case in loaded.cases) == 8
    assert all(meant.answered for case in loaded.cases for meant in case.intended)


def test_every_question_of_ambrosia_has_documents() -> None:
    files = [DATA / "ambrosia" / f"{kind}_dev.jsonl" for kind in ("ambiguous", "unambiguous")]
    loaded = load(files)
    assert loaded.left_out == {}
    assert Counter(code for case in loaded.cases for code in case.codes or ("none",)) == {
        "B1": 44,
        "B2": 40,
        "C1": 36,
        "none": 276,
    }
    dumps = {case.source for case in loaded.cases if isinstance(case.source, Dump)}
    for dump in dumps:
        with opened(dump.sql) as database:
            assert documents(database), dump.name


def test_what_clamber_has_beside_the_seven_kinds_is_left_out() -> None:
    loaded = load([DATA / "clamber" / "clamber.jsonl"])
    told = Counter(code for case in loaded.cases for code in case.codes or ("none",))
    assert told == {"A2": 400, "C3": 200, "none": 1001}
    assert sum(loaded.left_out.values()) == 1601
