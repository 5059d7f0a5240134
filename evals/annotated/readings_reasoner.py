"""Answers ADF's and its baselines' prompts from the gold passages that they show."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final

from agent.evidence import Passage
from agent.prompt_values import DecomposeValues, HypothesiseValues, SynthesiseValues
from agent.reasoner import Prompt
from agent.replies import (
    DecomposeReply,
    HypothesiseReply,
    QuotedReply,
    SynthesisedReading,
    SynthesiseReply,
)
from evals.annotated.proof import quoted
from evals.annotated.skill_reasoner import WHY, SkillReasoner
from evals.baselines.baseline_prompts import (
    AnswerReply,
    AssessReply,
    BaselineValues,
    DiversifyReply,
    VerifyReply,
)
from evals.names import FUNCTION_WORDS, tokens
from evals.questions import Record
from evals.spans import Span, gold_spans
from tools.corpus.corpus import Corpus

SEVERAL: Final = "; "
"""What stands between the answers where a system's reading has several."""
_TELLING: Final = 4
"""Words by which passages are told from others."""
_ALARM: Final = 60
"""Characters of a false answer: the first of the passage."""
_MANNERS: Final = ("what {} means", "{} as a matter of fact", "how {} is stated")


class ReadingsReasoner(SkillReasoner):
    """Reads for one question with annotated readings, as a model of a given skill would.

    An answer is given if and only if a passage shown holds all of a gold passage of it; to each
    reading that a system asks about, all answers in the passages found for it are given. What is
    searched for is made of the question's words and of what is shown, never of the annotation:
    which passages are found is the system's own doing.
    """

    def __init__(self, record: Record, corpus: Corpus, **limits: Any) -> None:
        """Stand for a model, with the limits of a `SkillReasoner`."""
        super().__init__(record, corpus, **limits)
        self._answers = true_answers(record)
        self._gold: defaultdict[str, list[Span]] = defaultdict(list)
        for span in gold_spans(record, corpus):
            self._gold[corpus.documents[span.document]].append(span)
        self._replies = {
            **self._replies,
            "decompose": self._decompose,
            "hypothesise": _hypothesise,
            "synthesise": self._synthesise,
        }

    def _told(self, passage: Passage) -> dict[str, str]:
        """Return the answers that a passage gives, each with its quote, errors included."""
        told: dict[str, str] = {}
        for span in self._gold[passage.document]:
            start, end = span.start - passage.start, span.end - passage.start
            number = int(span.evidence.condition or 1)
            missed = self._chance.hits(self._skill.misses, "reading", passage.document, span.start)
            if start >= 0 and end <= len(passage.text) and not missed:
                told[self._answers[number - 1]] = quoted(passage.text, start, end)
        begun, rate = quoted(passage.text, 0, _ALARM), self._skill.false_alarms
        place = (passage.document, passage.start)
        if not told and begun and self._chance.hits(rate, "alarm", *place):
            return {" ".join(begun.split()): begun}
        return told

    def _useful(self, shown: Iterable[Passage]) -> list[Passage]:
        return [each for each in shown if self._told(each)]

    def _decompose(self, prompt: Prompt) -> DecomposeReply:
        """Narrow the question by what tells the group from the others; vaguely, at times."""
        values = prompt.values_as(DecomposeValues)
        asked = _content(values.question)
        shared = asked & {word for each in values.passages for word in tokens(each.text)}
        if not shared:
            return DecomposeReply(reason="they share no word with it", label="", question=None)
        others = [each for group in values.others for each in group]
        group = [each.chunk for each in values.passages]
        vague = self._chance.hits(self._skill.searching, "query", *group)
        told = [] if vague else _telling(values.passages, others, asked)
        label, narrowed = " ".join(told or sorted(shared)), _narrowed(values.question, told)
        return DecomposeReply(reason=f"they tell of {label}", label=label, question=narrowed)

    def _synthesise(self, prompt: Prompt) -> SynthesiseReply:
        """Give each reading the answers in the passages found for it that none before it gives."""
        values = prompt.values_as(SynthesiseValues)
        numbered = {each.chunk: (at, each) for at, each in enumerate(values.passages, start=1)}
        given: dict[str, int] = {}
        readings = []
        for number, found in enumerate(values.found, start=1):
            evidence = []
            for place, passage in (numbered[chunk] for chunk in found if chunk in numbered):
                for said, quote in self._told(passage).items():
                    if said not in given:
                        given[said] = number
                        evidence.append(QuotedReply(passage=place, quote=quote))
            answer = SEVERAL.join(said for said, reading in given.items() if reading == number)
            readings.append(
                SynthesisedReading(reading=number, evidence=evidence, answer=answer or None)
            )
        return SynthesiseReply(readings=readings, contrast="", text=SEVERAL.join(given))

    def _answer(self, prompt: Prompt) -> AnswerReply:  # noqa: ARG002
        """Answer nothing unread: no annotation tells what a model knows."""
        return AnswerReply(reason=WHY, items=[], value=None, unit=None)

    def _assess(self, prompt: Prompt) -> AssessReply:
        """Grade a search by the share of its passages that answer; look for what tells the rest."""
        values = prompt.values_as(BaselineValues)
        useful = self._useful(values.shown)
        rest = [each for each in values.shown if each not in useful]
        told = _telling(rest, useful, _content(" ".join(values.queries)))
        vague = self._chance.hits(self._skill.searching, "query", len(values.queries))
        return AssessReply(
            reason=WHY,
            quality=len(useful) / max(1, len(values.shown)),
            query=None if vague or not told else _narrowed(values.question, told),
        )

    def _diversify(self, prompt: Prompt) -> DiversifyReply:
        """Put the question in other words: what else it may ask, its words do not tell."""
        values = prompt.values_as(BaselineValues)
        asked = " ".join(word for word in tokens(values.question) if word not in FUNCTION_WORDS)
        return DiversifyReply(readings=[each.format(asked) for each in _MANNERS][: values.number])

    def _verify(self, prompt: Prompt) -> VerifyReply:
        """Take the passages that answer for useful."""
        shown = prompt.values_as(BaselineValues).shown
        found = self._useful(shown)
        useful = [number for number, each in enumerate(shown, start=1) if each in found]
        return VerifyReply(reason=WHY, useful=useful, verdict="partly" if useful else "useless")


def true_answers(record: Record) -> list[str]:
    """Return the answer of each reading."""
    return [(each.answer or ("",))[0] for each in record.readings]


def _hypothesise(prompt: Prompt) -> HypothesiseReply:
    """Write a passage of what the prompt shows: titles and headings, no text."""
    values = prompt.values_as(HypothesiseValues)
    names = (name for each in values.passages for name in (each.title, *each.headings))
    told = [*dict.fromkeys(names)][:3]
    return HypothesiseReply(passage=". ".join([*told, " ".join(tokens(values.reading.question))]))


def _content(question: str) -> set[str]:
    return set(tokens(question)) - FUNCTION_WORDS


def _telling(passages: Sequence[Passage], others: Sequence[Passage], known: set[str]) -> list[str]:
    """Return the words of most of some passages' titles and texts that fewest of others have."""
    own, apart = _counted(passages), _counted(others)
    weighed = {
        word: number / len(passages) - apart[word] / max(1, len(others))
        for word, number in own.items()
        if word.isalpha() and len(word) > 3 and word not in known | FUNCTION_WORDS
    }
    best = sorted(weighed, key=lambda word: (-weighed[word], word))[:_TELLING]
    return [word for word in best if weighed[word] > 0]


def _counted(passages: Sequence[Passage]) -> Counter[str]:
    texts = (" ".join((each.title, *each.headings, each.text)) for each in passages)
    return Counter(word for text in texts for word in set(tokens(text)))


def _narrowed(question: str, told: Sequence[str]) -> str:
    bare = question.rstrip("? ")
    return f"{bare} with regard to {' '.join(told)}?" if told else f"{bare}?"
