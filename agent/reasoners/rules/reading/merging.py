"""When two mentions are one, as a question says it: in a clause that restricts nothing."""

import re
from typing import Final

from agent.deduplication import stated_rule
from agent.question import MergeRule
from agent.replies import InterpretReply

__all__ = ("restated_with", "without_rule")

_SAID: Final[dict[MergeRule, str]] = {
    "exact": "each spelling by itself",
    "alias": "spelling variants merged",
    "wide": "members of one series or group counted as one",
    "document": "counted once per document",
}
_CLAUSE: Final = re.compile(r"[,;:–—]\s+(?=\S)|\s+(?=\()")


def without_rule(question: str) -> tuple[str, MergeRule | None]:
    """Cut the clause off a question's end that says when two mentions are one.

    >>> without_rule("How many authors are there, each spelling by itself?")
    ('How many authors are there?', 'exact')
    >>> without_rule("How many authors are there?")
    ('How many authors are there?', None)
    """
    for cut in _CLAUSE.finditer(question):
        rule = stated_rule(question[cut.end() :])
        if rule is not None and stated_rule(question[: cut.start()]) is None:
            mark = "?" if question.rstrip().endswith("?") else ""
            return f"{question[: cut.start()]}{mark}", rule
    return question, None


def restated_with(reply: InterpretReply, rule: MergeRule) -> InterpretReply:
    """Return a reading whose restatement says the rule."""
    said = f"{reply.restated.rstrip('.')}, {_SAID[rule]}."
    return reply.model_copy(update={"restated": said})
