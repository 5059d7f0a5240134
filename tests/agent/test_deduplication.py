"""Words of an answer to C2, and of a question, say when two mentions are one."""

import pytest

from agent.ambiguity import Clarification, Exchange, Option, Reply
from agent.deduplication import answered_rule, ruled, stated_rule
from agent.question import Interpretation, MergeRule


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("each spelling counts", "exact"),
        ("count every mention", "exact"),
        ("they are not merged", "exact"),
        ("the variants are one", "alias"),
        ("merge them", "alias"),
        ("all versions of a program are one", "wide"),
        ("a group with its subsidiaries", "wide"),
        ("regardless of the version", "wide"),
        ("each version separately", "alias"),
        ("versions are not merged", "alias"),
        ("every subsidiary is its own company", "alias"),
        ("once per report", "document"),
        ("count it again in each document", "document"),
        ("not merged across documents", "document"),
        ("spelling variants are counted apart", "exact"),
        ("unmerged", "exact"),
        ("subsidiaries unmerged", "alias"),
        ("names of different people", None),
        ("count each person once", "alias"),
        ("one per firm", None),
        ("I don't know", None),
        ("", None),
    ],
)
def test_an_answer_sets_the_rule(words: str, rule: MergeRule | None) -> None:
    assert answered_rule(words, "firm") == rule


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("How many firms, a firm and its subsidiaries counted as one?", "wide"),
        ("How many programs, all versions as one?", "wide"),
        ("How many authors, each spelling by itself?", "exact"),
        ("How many authors, spelling variants merged?", "alias"),
        ("How many people, counted once per report?", "document"),
        ("How many people, once in each of the reports?", "document"),
        ("A report with several inspectors counts for each of them.", None),
        ("How many versions were released in each year?", None),
        ("Which firms merged with a subsidiary?", None),
        ("How many groups play together?", None),
        ("How many people are named in each report?", None),
        ("Which contracts use the exact phrase?", None),
    ],
)
def test_a_question_states_a_rule_only_where_it_speaks_of_counting(
    words: str, rule: MergeRule | None
) -> None:
    assert stated_rule(words, "firm") == rule


def _exchange(reply: Reply, code: str = "C2") -> Exchange:
    options = (
        Option(label="variants are one", meaning="How many, variants merged?"),
        Option(label="each spelling counts", meaning="How many, each spelling by itself?"),
    )
    asked = Clarification.model_validate(
        {"code": code, "span": "firms", "question": "When?", "options": options}
    )
    return Exchange(asked=asked, reply=reply)


@pytest.mark.parametrize(
    ("reply", "rule"),
    [
        (Reply(choice=2), "exact"),
        (Reply(text="each spelling counts"), "exact"),
        (Reply(text="versions as one"), "wide"),
    ],
    ids=["choice", "label", "words"],
)
def test_a_reply_sets_the_rule_of_a_reading(reply: Reply, rule: MergeRule) -> None:
    reading = Interpretation(text="How many firms?", entity_type="firm", grain="entity")
    assert answered_rule(_exchange(reply).in_words) == rule
    assert ruled(reading, _exchange(reply)).merge == rule
    assert ruled(reading, _exchange(reply, "A1")) == reading
