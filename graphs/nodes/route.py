"""route: choose whether the records answer the question, the texts, or both."""

from dataclasses import replace

from langgraph.runtime import Runtime

from agent.state import State, Update
from graphs.context import Context
from graphs.records.routing import choose, updated


def route(state: State, runtime: Runtime[Context]) -> Update:
    """Choose the way of the reading at hand, and say why.

    Raises:
        QuestionError: the policy asks for records that there are not, or that do not answer.
    """
    chosen = choose(replace(state, route=None), runtime)
    return updated(chosen, state, runtime)
