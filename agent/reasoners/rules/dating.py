"""Dates and numbers whose field the question does not name."""

from agent.reasoners.rules.amounts import Bound
from agent.reasoners.rules.field_tests import FieldTest
from agent.reasoners.rules.roles import best_date
from agent.reasoners.rules.scene import Scene

__all__ = ("dated_test", "numbered_test")


def numbered_test(bound: Bound, start: int, end: int, scene: Scene) -> FieldTest:
    """Compare the documents' own numbers: `numbered 3000 to 3999`."""
    facts = scene.labels.named(scene.number_field())
    return FieldTest(
        (facts,) if facts else (),
        bound.comparison,
        bound.values,
        start,
        end,
        named=True,
        name_test=facts is None,
    )


def dated_test(bound: Bound, words: str, start: int, end: int, scene: Scene) -> FieldTest | None:
    """Compare the field that dates a document, or look for the year in the documents' names.

    Args:
        bound: the date.
        words: how the question puts it.
        start: index of its first token.
        end: index after its last token.
        scene: the question's context.
    """
    facts, count = best_date(scene.labels.fields)
    if facts is not None:
        if count > 1:
            scene.assume(f"“{words}” is taken as a condition on {facts.name}.")
        return FieldTest((facts,), bound.comparison, bound.values, start, end, named=True)
    if bound.comparison != "is" or not scene.dated_names(bound.values[0][:4]):
        return None
    scene.assume(f"The year {bound.values[0]} is looked for in the documents' names.")
    return FieldTest((), "contains", bound.values, start, end, named=True, name_test=True)
