"""A small question with a typed reply, and a chat reasoner that asks the fake provider."""

import dataclasses
from typing import Any

from pydantic import BaseModel, ConfigDict

from agent.reasoner import Prompt, PromptValues, ToolSpec
from agent.reasoners import ChatReasoner, chat_reasoner
from tests.fake_provider.server import FakeProvider


class Firm(BaseModel):
    """A firm."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    name: str
    """The firm's name."""
    count: int
    """How many."""


class Search(BaseModel):
    """The arguments of a search."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    phrase: str
    best: int = 10


ACME = Firm(name="acme", count=3)
PROMPT = Prompt(name="firm", digest="d", text="Which firm?", values=PromptValues())
FIND = ToolSpec(name="find", description="Find a phrase.", arguments=Search)
COUNT = ToolSpec(name="count", description="Count a firm.", arguments=Firm)


def prompts(number: int) -> list[Prompt]:
    """Return so many different prompts."""
    return [dataclasses.replace(PROMPT, text=f"Which firm? ({index})") for index in range(number)]


def chat(provider: FakeProvider, model: str = "fake", **options: Any) -> ChatReasoner:
    """Return a reasoner that asks the fake provider and never sleeps."""
    built = chat_reasoner(model, base_url=provider.url, **{"max_retries": 0, **options})
    return dataclasses.replace(built, sleep=lambda seconds: None)
