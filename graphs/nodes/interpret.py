"""interpret: turn the question into an executable reading."""

from langgraph.runtime import Runtime

import prompts
from agent.prompt_values import InterpretValues
from agent.replies import InterpretReply
from agent.state import State, Update
from graphs.asking import ask
from graphs.context import Context
from graphs.disambiguation.readings import usable
from graphs.runs.run_entry import open_run


def interpret(state: State, runtime: Runtime[Context]) -> Update:
    """Read the question; open the run in the run store."""
    context = runtime.context
    run = open_run(state.question, state.run, context)
    prompt = prompts.interpret(
        InterpretValues(
            question=state.question, conversation=state.conversation, corpus=context.corpus
        )
    )
    reading = ask(runtime, prompt, InterpretReply, lambda reply: usable(reply, context))
    return {"run": run, "interpretation": reading}
