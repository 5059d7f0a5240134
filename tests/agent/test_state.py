"""The state as nodes and checkpoints see it."""

from dataclasses import fields
from typing import get_args, get_type_hints

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import BaseModel

from agent.ambiguity import Exchange, Reply
from agent.cost import Cost
from agent.history import Step
from agent.question import Quota
from agent.reasoner import ToolCall
from agent.state import CHECKPOINTED, Question, State, Update
from tests.prompts.examples import AMBIGUITY, ASKED, READING

CALL = ToolCall(tool="keywords", arguments={"words": ["rust"], "nested": {"k": [1, None, 2.5]}})
STATE = State(
    interpretation=READING.model_copy(update={"quota": Quota(at_least=2, every=True)}),
    ambiguities=(AMBIGUITY,),
    exchanges=(Exchange(asked=ASKED, reply=Reply(choice=1, text="or so")),),
    call=CALL,
    history=(Step(round=1, call=CALL, before="a", after="b", kept_sample=(1, 2), verdict="again"),),
    cost=Cost(model_calls=2, usd=0.5, seconds=1.5),
)


def _named(hint: object) -> set[type]:
    """Return the models that a type hint names."""
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return {hint}
    return set().union(*(_named(each) for each in get_args(hint)))


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


def test_a_state_comes_back_from_a_checkpoint_as_it_was() -> None:
    serde = JsonPlusSerializer(allowed_msgpack_modules=list(CHECKPOINTED))
    told = vars(STATE)
    back = State(**serde.loads_typed(serde.dumps_typed(told)))
    assert back == STATE
    assert back.interpreted.model_dump_json() == STATE.interpreted.model_dump_json()
