"""Who answers prompts: the annotation at a given skill, the lexical reader, or a model."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from agent.errors import QuestionError
from agent.policy import OnAmbiguity
from agent.reasoner import Reasoner
from agent.reasoners import select_reasoner
from agent.settings import Settings, load_settings
from evals.annotated.interpreting import is_annotated
from evals.annotated.skill import PREFIX, skill_of
from evals.annotated.skill_reasoner import SkillReasoner
from evals.questions import Record
from tools.corpus.corpus import Corpus
from tools.runs.file_replies import FileReplies

LEXICAL: Final = ("rules", "lexical")
"""The embedded reader's names."""


def is_model(reasoner: str) -> bool:
    """Tell whether a model answers: then a question mostly waits for the network."""
    return reasoner not in LEXICAL and not by_annotation(reasoner)


def settings_of(
    reasoner: str, on_ambiguity: OnAmbiguity = "assume", base_url: str | None = None
) -> Settings:
    """Return the settings, by default with nobody to ask.

    Raises SettingsError: no reader has this name, or as `load_settings`.
    """
    if by_annotation(reasoner):
        skill_of(reasoner)
    model = reasoner if is_model(reasoner) else LEXICAL[0]
    return load_settings(model=model, on_ambiguity=on_ambiguity, base_url=base_url)


def reader_of(
    reasoner: str,
    record: Record,
    corpus: Corpus,
    *,
    cache: Path,
    seed: int = 0,
    base_url: str | None = None,
    annotated: type[SkillReasoner] = SkillReasoner,
) -> Reasoner:
    """Return who reads one question: a budget, where one is set, is a question's.

    By annotation, an `annotated` one does. Which errors a skill makes depends on the seed, unless
    its name says another.

    Raises SettingsError: the model cannot be used.
    """
    settings = settings_of(reasoner, base_url=base_url)
    if not by_annotation(reasoner):
        return select_reasoner(settings, cache=FileReplies(cache))
    skill = skill_of(reasoner)
    if "seed=" not in reasoner:
        skill = skill.model_copy(update={"seed": seed})
    return annotated(
        record,
        corpus,
        skill=skill,
        budget=settings.budget(),
        context_tokens=settings.context_tokens,
        reply_tokens=settings.reply_tokens,
    )


def by_annotation(reasoner: str) -> bool:
    """Tell whether the questions' own annotation answers."""
    return reasoner == "gold" or reasoner.startswith(PREFIX)


def check_annotated(reasoner: str, records: Sequence[Record]) -> None:
    """Raise QuestionError where the annotation is to answer and no question has what it needs."""
    if by_annotation(reasoner) and not any(is_annotated(each) for each in records):
        raise QuestionError(
            f"no question has annotated conditions, from which {reasoner!r} answers: add "
            "`conditions` with a `text` each, or name a model or `lexical` with --reasoner"
        )
