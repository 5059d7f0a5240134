"""A condition of the benchmark: how questions say it, and who decides it."""

from collections.abc import Sequence
from typing import Literal

from agent.value import Value
from evals.aggbench.rule import FieldRule, HeadingRule, MentionRule, Rule, YearRule

__all__ = ("ConditionKind", "Mined", "Noun", "by_rule")

ConditionKind = Literal["field", "year", "heading", "mention", "claim"]
_DECIDED = {
    "field": "code: the value of a field in the document's header",
    "year": "code: the date of a field in the document's header",
    "heading": "code: the heading of a section",
    "mention": "code: the exact term, whole and on its own",
}


class Noun(Value):
    """What entities of one type are called."""

    one: str = "document"
    many: str = "documents"


class Mined(Value):
    """A condition on one type of entity."""

    id: str
    """The label by which evidence and answers of people refer to it."""
    entity_type: str
    """What it is a condition on, one noun in the singular."""
    plural: str
    """The same in the plural."""
    kind: ConditionKind
    """`claim` where a model or a person decides, else the rule's own kind."""
    phrase: str
    """As a predicate of the plural: `mention “mypy”`, `have the status “Final”`."""
    documents: bool = True
    """Whether documents are the entities, not things they name."""
    counts: str = ""
    """Of a claim: what counts as satisfying it under other words."""
    excludes: str = ""
    """Of a claim: what looks alike but does not count."""
    rule: Rule | None = None
    """What decides it by code; None where a model decides and people review."""
    decided_by: str
    """How its truth came about, in words."""


def by_rule(rule: Rule, noun: Noun) -> Mined:
    """Return the condition that a rule decides of whole documents.

    >>> by_rule(MentionRule(term="mypy"), Noun()).phrase
    'mention “mypy”'
    """
    return Mined(
        id=_id(rule),
        entity_type=noun.one,
        plural=noun.many,
        kind=rule.kind,
        phrase=_phrase(rule),
        rule=rule,
        decided_by=_DECIDED[rule.kind],
    )


def _id(rule: Rule) -> str:
    told: Sequence[str]
    match rule:
        case MentionRule():
            told = (rule.term,)
        case HeadingRule():
            told = (rule.title,)
        case FieldRule():
            told = (rule.field, rule.value)
        case YearRule():
            told = (rule.field, rule.comparison, str(rule.year))
    return f"{rule.kind}: {' '.join(told)}"


def _phrase(rule: Rule) -> str:
    match rule:
        case MentionRule():
            return f"mention “{rule.term}”"
        case HeadingRule():
            return f"have a section headed “{rule.title}”"
        case FieldRule():
            return f"have the {_spoken(rule.field)} “{rule.value}”"
        case YearRule():
            since = rule.comparison == "since"
            when = f"in {rule.year} or later" if since else f"before {rule.year}"
            return f"have a date {when} in the field “{rule.field}”"


def _spoken(field: str) -> str:
    """Return a field's key as words: `Python-Version` as `Python version`, else in lower case."""
    first, *others = field.replace("_", " ").replace("-", " ").split()
    return " ".join([first if first.isupper() else first.lower(), *(map(str.lower, others))])
