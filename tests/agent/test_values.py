"""Values are closed and never change; what a model reads of a reply's form is written out."""

import importlib
import inspect
import pkgutil

import pytest
from pydantic import BaseModel
from pydantic_settings import BaseSettings

import agent
from agent import replies
from agent.replies import ChangedMembers, ReplyModel


def _models() -> list[type[BaseModel]]:
    modules = [
        importlib.import_module(f"agent.{each.name}")
        for each in pkgutil.iter_modules(agent.__path__)
        if not each.ispkg
    ]
    return sorted(
        {
            value
            for module in modules
            for value in vars(module).values()
            if inspect.isclass(value)
            and issubclass(value, BaseModel)
            and value.__module__ == module.__name__
        },
        key=lambda model: (model.__module__, model.__name__),
    )


MODELS = _models()
KEPT = [each for each in MODELS if not issubclass(each, ReplyModel | BaseSettings)]
"""Without the replies, which mirror a model's JSON, and the settings, which are read from files."""
REPLIES = [each for each in MODELS if each.__module__ == replies.__name__]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_a_value_is_frozen_and_takes_no_unknown_field(model: type[BaseModel]) -> None:
    assert model.model_config.get("frozen") is True
    assert model.model_config.get("extra") == "forbid"
    assert inspect.getdoc(model)


@pytest.mark.parametrize("model", KEPT, ids=lambda model: model.__name__)
def test_a_value_holds_tuples_and_no_lists(model: type[BaseModel]) -> None:
    for field in model.model_fields.values():
        assert "list[" not in str(field.annotation)


@pytest.mark.parametrize("model", REPLIES, ids=lambda model: model.__name__)
def test_every_field_of_a_reply_is_explained_and_empty_by_default(model: type[ReplyModel]) -> None:
    for name, field in model.model_fields.items():
        assert field.is_required() or field.default in (None, "", [], "more", "value", False), name
        assert (model is ChangedMembers) or (field.description or "").endswith("."), name


@pytest.mark.parametrize(
    ("model", "reason", "verdict"),
    [
        (replies.FoundAmbiguity, "why", "code"),
        (replies.ObserveReply, "why", "verdict"),
        (replies.ChunkReply, "reason", "evidence"),
        (replies.PairReply, "reason", "same"),
    ],
)
def test_a_model_gives_its_reason_before_its_verdict(
    model: type[ReplyModel], reason: str, verdict: str
) -> None:
    order = list(model.model_fields)
    assert order.index(reason) < order.index(verdict)
