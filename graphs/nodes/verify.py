"""verify: have a second reasoner judge a sample of the verdicts again."""

from langgraph.runtime import Runtime

from agent.errors import ProviderError, SettingsError
from agent.state import State, Update
from graphs.context import Context
from graphs.scope import open_conditions
from graphs.search.judging_batches import Bench
from graphs.search.second_opinions import rejudged


def verify(state: State, runtime: Runtime[Context]) -> Update:
    """Collect the second opinion; nothing where none was asked for or nothing was read.

    A second reasoner that cannot be reached, or a recording without its replies, is told of: the
    answer does not depend on it. A limit that ends the opinion ends the run, which can go on.
    """
    context = runtime.context
    conditions = open_conditions(state)
    if context.second is None or not context.policy.second_sample or not conditions:
        return {}
    second = context.second(context.reasoner.spent())
    before = second.spent()
    bench = Bench(
        corpus=context.corpus,
        reasoner=second,
        reading=state.interpreted,
        conditions=conditions,
        question=state.question,
    )
    try:
        opinion = rejudged(state, context, bench, context.policy.second_sample)
    except (ProviderError, SettingsError) as error:
        told = f"there is no second opinion: {error}"
        return {"warnings": (*state.warnings, told)}
    finally:
        context.reasoner.charge((second.spent() - before).model_copy(update={"seconds": 0.0}))
    runtime.stream_writer({"kind": "prompt", "prompt": "judge", "digest": bench.digest[:12]})
    update: Update = {"second_opinion": opinion}
    if opinion.stopped and not state.stopped:
        update["stopped"] = opinion.stopped
    return update
