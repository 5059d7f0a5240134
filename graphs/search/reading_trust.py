"""Whether a reading can be trusted that came after the tables had been asked in vain."""

from agent.state import State
from graphs.context import Context
from graphs.look import look_at
from graphs.scope import open_conditions

__all__ = ("ROWS_AS_SENTENCES", "matched_rows_as_sentences")

ROWS_AS_SENTENCES = (
    "most of the text is rows, of which the tables could not answer, and the embedded rules match "
    "sentences: the number may be far off; ask with --model NAME, or in the words that `headcount "
    "records show` lists"
)


def matched_rows_as_sentences(state: State, context: Context) -> bool:
    """Tell whether the embedded rules judged what are the rows of tables that do not answer.

    Their `no` then says that no sentence was matched, not that nothing satisfies the question. What
    fields and spellings decide is not doubted, nor what a model read.
    """
    route = state.route
    asked_in_vain = route is not None and route.path == "text" and (route.missing or route.left)
    if not asked_in_vain or not context.reasoner.name.startswith("rules"):
        return False
    judged = any(not each.terms for each in open_conditions(state))
    return judged and look_at(context.corpus).tabular
