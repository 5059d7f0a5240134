"""The prompts that answer: from passages, from nothing, from notes, and to take notes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.evidence import Passage
from agent.history import Snapshot, Step
from agent.reasoner import Prompt, PromptValues
from evals.baselines.state import Item
from prompts.passage_text import nonce_of, numbered_passages
from prompts.templates import one_line, plain, render

__all__ = ("PACKAGE", "BaselineValues", "answer", "answer_unread", "merge", "note")

PACKAGE = "evals.baselines.prompts"


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineValues(PromptValues):
    """What a baseline's prompt was rendered from; what a prompt does not show stays empty."""

    question: str
    passages: Sequence[Passage] | None = None
    """None where the question is answered unread."""
    notes: Sequence[Item] = ()
    queries: Sequence[str] = ()
    history: Sequence[Step] = ()
    snapshot: Snapshot | None = None
    tools: Sequence[str] = ()
    """Names of the tools offered."""
    number: int = 0
    """How many readings are asked for."""

    @property
    def shown(self) -> Sequence[Passage]:
        """The passages."""
        return self.passages or ()


def answer(*, question: str, passages: Sequence[Passage]) -> Prompt:
    """Ask for the answer from passages; replied with `AnswerReply`."""
    nonce = nonce_of(passages)
    told = {
        "question": plain(question),
        "nonce": nonce,
        "passages": numbered_passages(passages, nonce),
    }
    return _rendered("answer", told, BaselineValues(question=question, passages=tuple(passages)))


def answer_unread(*, question: str) -> Prompt:
    """Ask for the answer from what the model knows; replied with `AnswerReply`."""
    told = {"question": plain(question)}
    return _rendered("answer-unread", told, BaselineValues(question=question))


def note(
    *,
    question: str,
    task: str,
    queries: Sequence[str],
    notes: Sequence[Item],
    passages: Sequence[Passage],
) -> Prompt:
    """Ask for notes from passages; replied with `NoteReply`."""
    nonce = nonce_of(passages)
    told = {
        "question": plain(question),
        "task": plain(task),
        "queries": "\n".join(f"- {one_line(each)}" for each in queries),
        "notes": _notes(notes),
        "nonce": nonce,
        "passages": numbered_passages(passages, nonce),
    }
    values = BaselineValues(
        question=question, queries=tuple(queries), notes=tuple(notes), passages=tuple(passages)
    )
    return _rendered("note", told, values)


def merge(*, question: str, notes: Sequence[Item]) -> Prompt:
    """Ask for the answer from notes; replied with `MergeReply`."""
    told = {"question": plain(question), "notes": _notes(notes)}
    return _rendered("merge", told, BaselineValues(question=question, notes=tuple(notes)))


def _notes(notes: Sequence[Item]) -> str:
    lines = [f"{number}. {_note(each)}" for number, each in enumerate(notes, start=1)]
    return "\n".join(lines) or "(none)"


def _note(item: Item) -> str:
    quotes = (f"“{one_line(each.quote)}” ({one_line(each.document)})" for each in item.evidence)
    return f"{one_line(item.name)}: {'; '.join(quotes) or 'without a quote'}"


def _rendered(name: str, told: Mapping[str, str], values: BaselineValues) -> Prompt:
    return render(name, told, values, package=PACKAGE)
