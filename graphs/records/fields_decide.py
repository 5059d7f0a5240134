"""Whether the fields of the documents decide a question, so that nothing has to be read."""

from agent.corpus import CorpusView
from agent.question import Interpretation
from agent.state import State
from graphs.answering.field_fit import untold_word
from graphs.answering.field_units import unlike_units
from graphs.scope import open_conditions

__all__ = ("by_fields",)


def by_fields(state: State, corpus: CorpusView) -> bool:
    """Tell whether fields decide the question; of all documents together they decide nothing.

    A measure that its field holds as text (`£900`) is no number yet, and numbers in several units
    are none to compare: records bring them to one. What is asked of all documents of a thing, tests
    of single ones do not say. Things that only some documents name in a field, others may name in
    their rows.
    """
    reading = state.interpretation
    if reading is None or open_conditions(state) or _written_out(reading, corpus):
        return False
    if untold_word(reading, state.question) or unlike_units(reading, corpus):
        return False
    if reading.entity_field and not _in_every_document(reading.entity_field, corpus):
        return False
    named = reading.entity_field or reading.group_by or reading.measure
    return reading.conditions is not None or bool(named)


def _in_every_document(field: str, corpus: CorpusView) -> bool:
    having = next((each.documents for each in corpus.fields if each.name == field), 0)
    return having >= len(corpus.documents)


def _written_out(reading: Interpretation, corpus: CorpusView) -> bool:
    measure = reading.measure
    return measure is not None and any(
        each.name == measure.field and each.type == "text" for each in corpus.fields
    )
