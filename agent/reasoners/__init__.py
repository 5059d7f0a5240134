"""Reasoners: chat models, the lexical reader and recordings behind one seam."""

from pathlib import Path
from typing import TYPE_CHECKING

from agent.cost import Cost
from agent.reasoner import Reasoner
from agent.reasoners.chat_reasoner import (
    ChatReasoner,
    ReplyCache,
    chat_reasoner,
    reasoner_around,
)
from agent.reasoners.recording import RecordedReasoner, Recorder

if TYPE_CHECKING:
    from agent.settings import Settings

__all__ = (
    "ChatReasoner",
    "RecordedReasoner",
    "Recorder",
    "chat_reasoner",
    "reasoner_around",
    "select_reasoner",
)

_RECORDED = "recorded:"


def select_reasoner(
    chosen: "str | Settings", *, cache: ReplyCache | None = None, spent: Cost | None = None
) -> Reasoner:
    """Return the reasoner of a name or of settings: `lexical`, `recorded:FILE`, else a chat model.

    A name takes the other settings from environment and files. Replies that were paid for are kept
    in `cache`; what an interrupted run had `spent` stands on the bill and counts against the
    budget.

    Raises SettingsError: the recording cannot be read, or the chat model needs a key.
    """
    name = chosen if isinstance(chosen, str) else chosen.model
    if name in {"lexical", "rules"}:
        from agent.reasoners.lexical import LexicalReasoner

        budget = None if isinstance(chosen, str) else chosen.budget()
        return LexicalReasoner(budget, spent)
    if name.startswith(_RECORDED):
        return RecordedReasoner(Path(name.removeprefix(_RECORDED)))
    from agent.settings import load_settings

    settings = load_settings(model=name) if isinstance(chosen, str) else chosen
    options = settings.chat_options() | {"already_spent": spent or Cost()}
    if cache is not None and settings.response_cache:
        options["cache"] = cache
    return chat_reasoner(name, **options)
