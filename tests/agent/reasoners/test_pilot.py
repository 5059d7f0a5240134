"""A pilot answers every prompt of a search from words, strictly or leniently, and counts it."""

from typing import get_args

from agent.question import Condition, Interpretation
from agent.reasoners.ledger import estimate_tokens
from agent.reasoners.pilot import Leniency, PilotReasoner
from agent.replies import InterpretReply, JudgeReply
from tests.prompts.examples import EXAMPLES, PASSAGES, QUESTION, rendered
from tools.filters.registry import specs


def judged(leniency: Leniency) -> JudgeReply:
    reading = Interpretation(text=QUESTION, entity_type="document")
    rusty = Condition(id="c1", text="rusty bearings surface")
    told = {"interpretation": reading, "conditions": (rusty,), "passages": PASSAGES}
    prompt = rendered("judge", question=QUESTION, **told)
    return PilotReasoner(leniency).ask(prompt, JudgeReply)


def test_nothing_is_relevant_to_a_strict_pilot_and_half_of_the_words_to_a_lenient_one() -> None:
    strict, reply = judged("strict"), judged("lenient")
    assert (strict.passages, strict.none) == ([], list(range(1, len(PASSAGES) + 1)))
    assert [each.passage for each in reply.passages] == [1]
    assert reply.none == list(range(2, len(PASSAGES) + 1))
    (evidence,) = reply.passages[0].evidence
    assert evidence.condition == "c1"
    assert PASSAGES[0].text.startswith(evidence.quote)


def test_requests_are_counted_with_their_forms_and_a_pilot_has_the_model_s_limits() -> None:
    for leniency in get_args(Leniency):
        pilot = PilotReasoner(leniency, context_tokens=9000, reply_tokens=500)
        assert pilot.name == f"pilot ({leniency})"
        reply = pilot.ask(EXAMPLES["interpret"], InterpretReply)
        spent = pilot.spent()
        assert (pilot.context_tokens, pilot.reply_tokens, spent.model_calls) == (9000, 500, 1)
        assert spent.input_tokens > estimate_tokens(EXAMPLES["interpret"].text)
        assert spent.output_tokens == estimate_tokens(reply.model_dump_json())
        pilot.choose(EXAMPLES["plan"], specs())
        sent = pilot.spent().input_tokens - spent.input_tokens
        assert sent > estimate_tokens(EXAMPLES["plan"].text)
