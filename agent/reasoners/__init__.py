"""Reasoners: chat models, the lexical reader and recordings behind one seam."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.cost import Cost
from agent.reasoner import Reasoner
from agent.reasoners.chat_reasoner import ChatReasoner, ReplyCache, chat_reasoner, reasoner_around
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
    kept = cache if settings.response_cache else None
    fields: dict[str, Any] = {"already_spent": spent or Cost(), "cache": kept}
    if not settings.own_client:
        return chat_reasoner(name, **settings.chat_options(), **fields)
    from agent.reasoners.own_clients import own_client_reasoner

    return own_client_reasoner(settings, **fields)
