"""Who reads for an arm: the embedded rules, the labels at a given skill, or a model."""

from pathlib import Path
from typing import TYPE_CHECKING

from agent.reasoner import Reasoner
from evals.questions import Record
from evals.skill.rates import PREFIX, skill_of

if TYPE_CHECKING:
    from agent.settings import Settings
    from tools.corpus.corpus import Corpus

__all__ = ("checked_reader", "is_model", "reader_of", "settings_of")


def is_model(reasoner: str) -> bool:
    """Tell whether a model answers: then a question mostly waits for the network."""
    return reasoner != "rules" and not _by_labels(reasoner)


def checked_reader(reasoner: str) -> str:
    """Return the name; raise SettingsError where it is none that can read here."""
    settings_of(reasoner)
    if _by_labels(reasoner):
        skill_of(reasoner)
    return reasoner


def settings_of(reasoner: str, tokens: int | None = None) -> "Settings":
    """Return the product's settings, but nobody is there to be asked about an ambiguity.

    Args:
        reasoner: the arm's.
        tokens: what a question may cost; None is what the settings say.

    Raises:
        SettingsError: the settings of this machine cannot be used.
    """
    from agent.settings import load_settings

    model = reasoner if is_model(reasoner) else "rules"
    return load_settings(model=model, on_ambiguity="assume", max_tokens=tokens)


def reader_of(
    reasoner: str,
    record: Record,
    corpus: "Corpus",
    *,
    seed: int,
    cache: Path,
    tokens: int | None = None,
) -> Reasoner:
    """Return who reads one question: a budget, where one is set, is a question's.

    Args:
        reasoner: the arm's.
        record: the question with its labels.
        corpus: what it is asked over.
        seed: which errors a skill makes depends on it, unless its name says another.
        cache: where the replies of a model are kept.
        tokens: what the question may cost; None is what the settings say.

    Raises:
        SettingsError: the model cannot be used.
    """
    from agent.reasoners import select_reasoner
    from evals.skill import SkillReasoner

    settings = settings_of(reasoner, tokens)
    if not _by_labels(reasoner):
        return select_reasoner(settings, cache=cache)
    skill = skill_of(reasoner)
    if "seed=" not in reasoner:
        skill = skill.model_copy(update={"seed": seed})
    return SkillReasoner(
        select_reasoner("rules"),
        record,
        corpus,
        skill=skill,
        budget=settings.budget(),
        context_tokens=settings.context_tokens,
        reply_tokens=settings.reply_tokens,
    )


def _by_labels(reasoner: str) -> bool:
    return reasoner == "gold" or reasoner.startswith(PREFIX)
