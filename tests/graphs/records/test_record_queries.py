"""Queries that give no number or hold no text are refused in words, and repaired."""

import pytest

from agent.prompt_values import QueryValues
from tests.graphs.recorded import DEAR, count_of, in_city, keep_records, reply
from tests.graphs.records.test_records_graph import Run, asked, run
from tools.corpus.corpus import Corpus

__all__ = ("run",)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (reply(answerable=True, sql="SELECT 1e999"), "no finite number"),
        (reply(answerable=True, sql="SELECT x'00'"), "bytes"),
        (reply(count_of(in_city("Y\ud800rk"))), "surrogate"),
        (reply(answerable=True, sql="SELECT 'Y\ud800rk'"), "surrogate"),
    ],
)
def test_what_is_no_number_or_text_is_repaired(
    run: Run, corpus: Corpus, wrong: object, told: str
) -> None:
    keep_records(corpus)
    answer, _, reasoner = run(wrong, reply(count_of(DEAR)))
    assert answer.value == 6
    again = asked(reasoner, "query")[1]
    assert told in str(again.values_as(QueryValues).error)
    assert again.text.encode("utf-8")
