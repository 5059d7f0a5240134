"""The state as nodes and checkpoints see it."""

from dataclasses import fields
from typing import Any, get_args, get_type_hints

import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import BaseModel

from agent.ambiguity import Ambiguity, Clarification, Coherence, Exchange, Reading, Reply, Turn
from agent.answer import Answer, Completeness
from agent.cost import Cost
from agent.coverage import Audit, Coverage, ReadingRound, SampledStratum
from agent.evidence import Entity, Finding
from agent.history import Step
from agent.question import AnyOf, Interpretation, Measure, Quota
from agent.reasoner import ToolCall
from agent.records.query_plan import Column, Compare, Query
from agent.records.record_replies import Decided, Planned, QueryReply, Route
from agent.state import CHECKPOINTED, Earlier, Question, State, Update
from tests.prompts.examples import AMBIGUITY, ASKED
from tests.prompts.examples import READING as TOLD

READING = TOLD.model_copy(
    update={
        "conditions": AnyOf(parts=(TOLD.conditions,)),
        "operation": "top_k",
        "measure": Measure(text="age", unit="years"),
        "k": 3,
        "quota": Quota(at_least=2, every=True),
        "show": ("Built",),
        "settled": ("“old” means built before 1900",),
    }
)
QUERIED = QueryReply(
    why="all of them",
    answerable=True,
    missing="",
    plan=Query(
        kind="lease",
        where=Compare(left=Column(kind="lease", attribute="rent"), comparator=">", value=2.5),
        operation="count",
    ),
    sql=None,
)
CALL = ToolCall(tool="keywords", arguments={"words": ["rust"], "nested": {"k": [1, None, 2.5]}})
VALUES: dict[type, Any] = {
    Ambiguity: AMBIGUITY,
    Answer: Answer(
        question="?",
        status="answered",
        completeness=Completeness(method="all"),
        coverage=Coverage(chunks=1),
        run="a",
        entities=(Entity(name="a", documents=("d",)),),
    ),
    Audit: Audit(
        strata=(SampledStratum(reasons=("a",), chunks="1", sample="2"),),
        relevant="3",
        matched="4",
        closed="5",
        outcome="leaked",
    ),
    Clarification: ASKED,
    Coherence: Coherence(dispersion=0.5, separability=-0.1, state="clear"),
    Cost: Cost(model_calls=2, usd=0.5, seconds=1.5),
    Coverage: Coverage(chunks=9, judged=4, unseen=5),
    Exchange: Exchange(asked=ASKED, reply=Reply(choice=1, text="or so")),
    Earlier: Earlier(run="a", rounds=(2,), widened=("c1",)),
    Interpretation: READING,
    Reading: Reading(label="50", question="over 50?"),
    ReadingRound: ReadingRound(purpose="audit", selection="1", size=9, why="to know", hits=2),
    Route: Route(
        path="hybrid",
        why="both",
        planned=(Planned(of="c1", reply=QUERIED),),
        decided=(Decided(condition="c1", holds="a", unknown="b", known=False),),
    ),
    Step: Step(
        round=1, call=CALL, before="a", after="b", kept_sample=(1, 2), verdict="again", why="lost"
    ),
    ToolCall: CALL,
    Turn: Turn(question="?", interpretation=READING, value={"Leeds": 2}, entities=("P1",)),
}


def _named(hint: object) -> set[type]:
    """Return the models that a type hint names."""
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return {hint}
    return set().union(*(_named(each) for each in get_args(hint)))


def _strict() -> JsonPlusSerializer:
    return JsonPlusSerializer(allowed_msgpack_modules=list(CHECKPOINTED))


def test_an_update_has_the_states_fields_and_their_types() -> None:
    asked = {field.name for field in fields(Question)} - {"run"}
    hints = get_type_hints(State)
    assert get_type_hints(Update) == {
        name: hint for name, hint in hints.items() if name not in asked
    }
    assert not Update.__required_keys__


def test_a_checkpoint_may_hold_every_type_of_the_state() -> None:
    named = set().union(*(_named(hint) for hint in get_type_hints(State).values()))
    assert named == set(CHECKPOINTED)


@pytest.mark.parametrize("kind", CHECKPOINTED, ids=lambda kind: kind.__name__)
def test_a_value_comes_back_from_a_checkpoint_as_it_was(kind: type[BaseModel]) -> None:
    serde = _strict()
    value = VALUES[kind]
    back = serde.loads_typed(serde.dumps_typed((value, [value])))
    assert list(back) == [value, [value]]
    assert type(back[0]) is kind
    assert back[0].model_dump_json() == value.model_dump_json()


def test_a_type_that_is_not_listed_stays_plain_data() -> None:
    finding = Finding(chunk=1, document="d", condition="c1", entity="d", start=0, end=1, quote="q")
    serde = _strict()
    assert not isinstance(serde.loads_typed(serde.dumps_typed(finding)), Finding)
