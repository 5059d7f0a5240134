"""The embedded default: deterministic, offline, free of charge, and without any judgement."""

from collections.abc import Sequence
from functools import lru_cache
from time import monotonic
from typing import Final, TypeVar

from pydantic import BaseModel

from agent.ambiguity import Exchange
from agent.corpus_view import CorpusView
from agent.cost import Budget, Cost
from agent.errors import LimitReached, QuestionError
from agent.prompt_values import ClarifyValues, ClassifyValues, InterpretValues, RewriteValues
from agent.reasoner import Ability, Failure, Prompt, ToolCall, ToolSpec
from agent.reasoners.concurrency import answer_all
from agent.reasoners.ledger import Unlimited
from agent.reasoners.lexical.assembly import Assembly, interpretation_of
from agent.reasoners.lexical.follow_ups import REFERRING, follow_up
from agent.reasoners.lexical.grammar import polite
from agent.reasoners.lexical.vocabulary import Vocabulary
from agent.replies import (
    ClarifyReply,
    ClassifyReply,
    FoundAmbiguity,
    InterpretReply,
    ReadingReply,
    RewriteReply,
)
from agent.taxonomy import TAXONOMY

R = TypeVar("R", bound=BaseModel)


class LexicalReasoner(Unlimited):
    """Interprets questions about fields, kinds of documents and literal mentions; judges nothing.

    A limit of calls or seconds holds for it too; one of money never binds. Tokens are nil.
    """

    name: Final = "lexical"
    paid: Final = False
    abilities: Final[frozenset[Ability]] = frozenset()

    def __init__(self, budget: Budget | None = None, already_spent: Cost | None = None) -> None:
        super().__init__(context_tokens=8000, reply_tokens=2000)
        self._budget = (budget or Budget()).model_copy(update={"usd": None})
        self.charge(already_spent or Cost())

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Answer from the prompt's values.

        Raises:
            LimitReached: the budget is spent.
            QuestionError: the question cannot be interpreted for certain, or the task needs a
                reader that can judge, write or choose.
        """
        reached = self._budget.exceeded_by(self.spent())
        if reached is not None:
            raise LimitReached(reached)
        started = monotonic()
        answered = _answered(prompt)
        self.charge(Cost(model_calls=1, seconds=monotonic() - started))
        return reply.model_validate(answered.model_dump())

    def ask_many(self, prompts: Sequence[Prompt], reply: type[R]) -> list[R | Failure]:
        """Answer all prompts in order; raise QuestionError where one cannot be, as `ask` does."""
        return answer_all(lambda prompt: self.ask(prompt, reply), prompts, workers=1)

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:  # noqa: ARG002
        """Raise QuestionError: it chooses no tools."""
        raise _unable(prompt)


def _answered(prompt: Prompt) -> BaseModel:
    match prompt.values:
        case InterpretValues() as asked:
            return _interpreted(asked)
        case RewriteValues() as asked:
            return _rewritten(asked)
        case ClassifyValues() as asked:
            return _classified(asked)
        case ClarifyValues() as asked:
            return _clarified(asked)
        case _:
            raise _unable(prompt)


def _unable(prompt: Prompt) -> QuestionError:
    return QuestionError(f"the lexical reader cannot {prompt.name}: name a model with --model NAME")


@lru_cache(maxsize=2)
def _vocabulary(corpus: CorpusView) -> Vocabulary:
    return Vocabulary(corpus)


def _interpreted(asked: InterpretValues) -> InterpretReply:
    found = REFERRING.search(asked.question) if asked.conversation else None
    if found is not None:
        reply = follow_up(asked.question, asked.conversation, _vocabulary(asked.corpus))
        if reply is not None:
            return reply
        raise QuestionError(
            f"“{found.group().strip()}” refers to what was said before, and what it asks is not "
            "certain: ask the whole question, or name a model with --model NAME"
        )
    return interpretation_of(asked.question, _vocabulary(asked.corpus))


def _rewritten(asked: RewriteValues) -> RewriteReply:
    """Interpret the question as an option says it, or with a reply in the place of the words."""
    said = _said(asked.question, asked.exchange)
    return RewriteReply.whole(interpretation_of(said, _vocabulary(asked.corpus)))


def _said(question: str, exchange: Exchange) -> str:
    if exchange.chosen is not None:
        return exchange.chosen.meaning
    span, said = exchange.asked.span, exchange.reply.text
    if not span:
        return said
    bare = _without(question, span)
    return f"{bare} {said if said.split()[:1] in (['with'], ['in'], ['since']) else 'with ' + said}"


def _without(question: str, span: str) -> str:
    at = question.casefold().find(span.casefold())
    bare = question if at < 0 else question[:at] + question[at + len(span) :]
    return " ".join(polite(bare).split())


def _classified(asked: ClassifyValues) -> ClassifyReply:
    """Return the words of degree and time: the only ambiguities that are sure by their form."""
    if asked.conversation and REFERRING.search(asked.question):
        return ClassifyReply(ambiguities=[])  # else it would not have been interpreted
    assembly = Assembly(polite(asked.question), _vocabulary(asked.corpus))
    assembly.reply()
    found = []
    for piece, limit in assembly.limits:
        if len(limit.readings) < 2:
            continue
        bare = _without(asked.question, piece.word)
        readings = [
            ReadingReply(label=each.words.removeprefix("with "), question=f"{bare} {each.words}")
            for each in limit.readings
        ]
        why = f"“{piece.word}” sets a limit and does not say where it lies"
        found.append(FoundAmbiguity(why=why, code=limit.code, span=piece.word, readings=readings))
    return ClassifyReply(ambiguities=found)


def _clarified(asked: ClarifyValues) -> ClarifyReply:
    ambiguity = asked.ambiguity
    return ClarifyReply(question=f"About “{ambiguity.span}”: {TAXONOMY[ambiguity.code].ask}")
