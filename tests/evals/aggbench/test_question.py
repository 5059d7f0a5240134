from evals.aggbench.queries import Query, records
from evals.aggbench.rules import Annotation, MentionRule, Noun, Truths, by_rule
from evals.questions import Record

TERM = by_rule(MentionRule(term="mypy"), Noun())
QUERY = Query((TERM,), "single", Truths(frozenset({"a", "b"}), frozenset({"c"})))
FOUND = [
    Annotation(condition=TERM.id, document="b", entity="b", start=4, end=8, quote="mypy", by="x"),
    Annotation(condition=TERM.id, document="a", entity="a", start=0, end=4, quote="mypy", by="x"),
    Annotation(condition=TERM.id, document="c", entity="c", doubted=True, by="x"),
]


def test_a_record_has_answer_evidence_and_what_is_in_doubt() -> None:
    (told,) = records({7: QUERY}, "core", FOUND)
    record = Record.model_validate(told)
    assert (record.id, record.corpus, record.logic) == ("core-007", "core", "single")
    assert record.answer == record.gold_documents == ("a", "b")
    assert record.borderline_documents == ("c",)
    assert [(each.document, each.start, each.condition) for each in record.gold_evidence] == [
        ("a", 0, "mention: mypy"), ("b", 4, "mention: mypy"),
    ]  # fmt: skip
    assert record.decided_by == TERM.decided_by


def test_counts_and_lists_fall_on_every_place_of_a_cycle_of_kinds() -> None:
    told = records(dict.fromkeys(range(1, 25), QUERY), "core", FOUND)
    asked = [each["aggregation"] for each in told]
    assert asked.count("count") == asked.count("list") == 12
    for period in (2, 3, 4):
        for place in range(period):
            assert set(asked[place::period]) == {"count", "list"}
