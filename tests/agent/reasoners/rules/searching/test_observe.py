import pytest

from agent.history import Step
from agent.question import Condition, Interpretation, atoms
from agent.reasoner import ToolCall
from agent.reasoners.rules.searching.observe import observe
from agent.replies import ObserveReply
from tests.agent.reasoners.rules.small_corpus import SmallCorpus, passage

AUDIT = "A tenant may audit the books."
OTHER = "The roof is red."
CONDITION = Condition(id="c1", text="let a party audit books")


def observed(
    tool: str,
    *,
    kept: int = 5,
    discarded: int = 5,
    of_kept: tuple[str, ...] = (AUDIT,),
    of_discarded: tuple[str, ...] = (OTHER,),
    condition: Condition = CONDITION,
) -> ObserveReply:
    step = Step(
        round=1,
        call=ToolCall(tool=tool, arguments={}),
        before="a",
        after="b",
        kept=kept,
        discarded=discarded,
    )
    return observe(
        {
            "interpretation": Interpretation(text="?", entity_type="lease", conditions=condition),
            "conditions": tuple(atoms(condition)),
            "step": step,
            "kept": tuple(map(passage, of_kept)),
            "discarded": tuple(map(passage, of_discarded)),
            "corpus": SmallCorpus([AUDIT, OTHER]),
        }
    )


def test_a_call_that_discards_what_is_irrelevant_stands() -> None:
    assert observed("keywords").verdict == "keep"


def test_a_call_that_discards_what_states_a_condition_is_undone() -> None:
    reply = observed("keywords", of_discarded=(OTHER, AUDIT))
    assert reply.verdict == "again"
    assert "c1" in reply.why


def test_a_ranked_cut_stands_for_it_is_joined_later() -> None:
    assert observed("semantic", of_discarded=(AUDIT,)).verdict == "keep"


@pytest.mark.parametrize(("kept", "discarded"), [(0, 9), (9, 0)], ids=["nothing kept", "all kept"])
def test_a_call_without_effect_is_undone(kept: int, discarded: int) -> None:
    assert observed("keywords", kept=kept, discarded=discarded).verdict == "again"


def test_covered_mentions_end_the_search() -> None:
    asked = Condition(id="m", text="", terms=("audit",))
    assert observed("regex", condition=asked).verdict == "enough"


def test_the_summary_tells_what_marks_each_side() -> None:
    summary = observed("keywords").summary
    assert "audit" in summary.split("Discarded")[0]
    assert "roof" in summary.split("Discarded")[1]
