"""Answers from a question's annotation, so that search is seen by itself."""

import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeVar

from pydantic import BaseModel

from agent.cost import Budget, Cost
from agent.errors import LimitReached, MalformedReply
from agent.prompt_values import (
    AlignValues,
    ClarifyValues,
    ClassifyValues,
    InterpretValues,
    JudgeValues,
    ObserveValues,
    RewriteValues,
)
from agent.reasoner import Prompt, ToolCall, ToolSpec
from agent.reasoners.pilot import StandIn
from agent.replies import (
    AlignReply,
    ClarifyReply,
    ClassifyReply,
    FoundAmbiguity,
    InterpretReply,
    JudgeReply,
    ObserveReply,
    PairReply,
    ReadingReply,
    RewriteReply,
)
from evals.annotated.answering import Answering
from evals.annotated.interpreting import interpreted, interpreted_reading
from evals.annotated.proof import Proof
from evals.annotated.skill import Chance, Skill, erring, judged
from evals.names import departure, normal_name, token_f1, tokens
from evals.questions import AnnotatedReading, Record
from tools.corpus.corpus import Corpus

_LABEL_WORDS: Final = 6
_CLAUSES: Final = re.compile(r"[.;:!?]\s+")


def classified(prompt: Prompt, record: Record) -> ClassifyReply:
    """Return the annotated ambiguities."""
    question = prompt.values_as(ClassifyValues).question
    if question != record.question or len(record.readings) < 2:
        return ClassifyReply(ambiguities=[])
    readings = [_shown(question, each) for each in record.readings]
    return ClassifyReply(
        ambiguities=[
            FoundAmbiguity(
                why="the annotators found it",
                code=code,
                span=_span(question, record.readings),
                readings=readings,
            )
            for code in dict.fromkeys(record.ambiguity)
        ]
    )


def clarified(prompt: Prompt) -> ClarifyReply:
    """Return the question to the person."""
    ambiguity = prompt.values_as(ClarifyValues).ambiguity
    return ClarifyReply(question=f"What is meant by “{ambiguity.span}”?")


def rewritten(prompt: Prompt, record: Record, corpus: Corpus) -> RewriteReply:
    """Return the annotated reading that the option chosen, or else the words of a reply, name.

    The last clause that names one counts; where none does, the likeliest reading stands.
    """
    exchange = prompt.values_as(RewriteValues).exchange
    choice, options = exchange.reply.choice, exchange.asked.options
    if choice is not None and 1 <= choice <= len(options):
        meant = options[choice - 1].meaning
        chosen = max(record.readings, key=lambda each: token_f1(meant, [each.rewritten]))
    else:
        chosen = _named(exchange.reply.text, record)
    return RewriteReply.whole(interpreted_reading(record, chosen, corpus))


def _named(reply: str, record: Record) -> AnnotatedReading:
    for clause in reversed(_CLAUSES.split(reply)):
        scores = [_likeness(clause, each, record) for each in record.readings]
        best = max(scores, default=0.0)
        if best > 0 and scores.count(best) == 1:
            return record.readings[scores.index(best)]
    return record.readings[0]


def _likeness(reply: str, reading: AnnotatedReading, record: Record) -> float:
    """Compare a reply with the words of a reading that the question lacks."""
    asked = set(tokens(record.question))
    own, said = (
        " ".join(word for word in tokens(each) if word not in asked)
        for each in (reading.rewritten, reply)
    )
    return token_f1(said, [own]) if said and own else 0.0


def _shown(question: str, reading: AnnotatedReading) -> ReadingReply:
    settled = departure(question, reading.rewritten)
    label = " ".join(settled.split()[:_LABEL_WORDS])
    return ReadingReply(label=label, question=reading.rewritten)


def _span(question: str, readings: Sequence[AnnotatedReading]) -> str:
    """Return the question's words, from the first to the last, that no reading repeats."""
    said = {word for each in readings for word in tokens(each.rewritten)}
    words = question.rstrip("?.! ").split()
    own = [at for at, word in enumerate(words) if not set(tokens(word)) <= said]
    return " ".join(words[own[0] : own[-1] + 1] if own else words)


R = TypeVar("R", bound=BaseModel)
_CHARACTERS_PER_TOKEN = 4
_RANKED = frozenset({"semantic", "bm25"})


class SkillReasoner(StandIn):
    """Answers one question's prompts from its annotation, as a model of a given skill would.

    The conditions, their logic and the operation are the annotated ones, and so are the readings
    of an ambiguous question; its words are never read. A passage proves a condition if and only if
    it overlaps evidence for it; evidence without spans makes every passage of a gold document a
    proof, where documents are the answer. Filter calls are chosen by rule, and undone where a
    discarded passage that is shown proves something. It writes nothing: no records, no hypothetical
    passages.

    Errors befall each task at the skill's rates, none without one, which is gold; they depend on
    the seed and on the prompt's words, so that the same run makes the same errors. Its cost is what
    a model would have been sent: a call a prompt, four characters a token.
    """

    def __init__(
        self,
        record: Record,
        corpus: Corpus,
        *,
        skill: Skill | None = None,
        budget: Budget | None = None,
        context_tokens: int = 128_000,
        reply_tokens: int = 4096,
    ) -> None:
        """Stand for a model with these limits, for one question; the budget is the question's."""
        super().__init__(
            tokens=_tokens, forms=False, context_tokens=context_tokens, reply_tokens=reply_tokens
        )
        self._record = record
        self._corpus = corpus
        self._proof = Proof(record, corpus)
        self._skill = skill or Skill()
        self._budget = budget or Budget()
        self._answering = Answering(record, corpus, self._judged, self._skill)
        self._replies: dict[str, Callable[[Prompt], BaseModel]] = {
            "align": self._aligned,
            "clarify": clarified,
            "classify": partial(classified, record=record),
            "interpret": self._interpreted,
            "judge": self._judged,
            "observe": self._observed,
            "rewrite": partial(rewritten, record=record, corpus=corpus),
            "answer": self._answering.answer,
            "assess": self._answering.assess,
            "diversify": self._answering.diversify,
            "merge": self._answering.merge,
            "note": self._answering.note,
            "verify": self._answering.verify,
        }

    @property
    def name(self) -> str:
        """The skill in words."""
        return self._skill.name

    def _answered(self, prompt: Prompt, reply: type[R]) -> R:
        """Answer from the annotation, with the errors of the skill; LimitReached ends that."""
        self._check_budget(prompt)
        answer = self._replies.get(prompt.name)
        if answer is None:
            raise MalformedReply(
                f"the annotation of a question answers no {prompt.name!r} prompt: name a model"
            )
        right = self._erred(prompt, answer(prompt))
        return reply.model_validate(right.model_dump())

    def _chosen(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        self._check_budget(prompt)
        return self._answering.choose(prompt, tools)

    def _interpreted(self, prompt: Prompt) -> InterpretReply:
        """Return the question's interpretation; of an ambiguous one, the likeliest."""
        asked = prompt.values_as(InterpretValues).question
        if not self._record.readings:
            return interpreted(self._record, self._corpus)
        same = [each for each in self._record.readings if each.rewritten == asked]
        first, *_ = same or self._record.readings
        return interpreted_reading(self._record, first, self._corpus)

    def _aligned(self, prompt: Prompt) -> AlignReply:
        """Take names for one where the labels write them alike."""
        pairs = prompt.values_as(AlignValues).pairs
        return AlignReply(
            pairs=[
                PairReply(
                    pair=number,
                    reason="from the labels",
                    same=normal_name(left) == normal_name(right),
                )
                for number, (left, right) in enumerate(pairs, start=1)
            ]
        )

    def _judged(self, prompt: Prompt) -> JudgeReply:
        values = prompt.values_as(JudgeValues)
        by_entity = values.interpretation.grain == "entity"
        return judged(
            {
                number: self._proof.of(passage, values.conditions, by_entity=by_entity)
                for number, passage in enumerate(values.passages, start=1)
            }
        )

    def _observed(self, prompt: Prompt) -> ObserveReply:
        """Undo a call of which a discarded passage proves something; keep a ranked cut.

        A ranked cut is joined with what words keep.
        """
        values = prompt.values_as(ObserveValues)
        step = values.step
        lost = step.call.tool not in _RANKED and any(
            self._proof.of(each, values.conditions) for each in values.discarded or ()
        )
        idle = not step.kept or not step.discarded
        return ObserveReply(
            summary="from the labels",
            why="it discards what proves something" if lost else "nothing shown is lost",
            verdict="again" if lost or idle else "keep",
            rollback_to=None,
        )

    def _check_budget(self, prompt: Prompt) -> None:
        """Refuse what the budget does not allow: a call, or the tokens of the prompt alone."""
        spent = self.spent()
        ahead = Cost(input_tokens=self._tokens(prompt.text))
        reached = self._budget.exceeded_by(spent) or self._budget.overrun_by(spent + ahead)
        if reached is not None:
            raise LimitReached(f"The budget is spent: {reached}. Raise it to go on.")

    def _erred(self, prompt: Prompt, right: BaseModel) -> BaseModel:
        chance = Chance(self._skill, prompt)
        match right:
            case JudgeReply():
                return erring(right, prompt.values_as(JudgeValues), chance)
            case ObserveReply() if chance.hits(self._skill.searching, "observe"):
                return right.model_copy(update={"verdict": "keep", "rollback_to": None})
            case _:
                return right


def _tokens(text: str) -> int:
    return math.ceil(len(text) / _CHARACTERS_PER_TOKEN)
