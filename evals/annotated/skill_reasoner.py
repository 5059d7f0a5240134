"""Answers from a question's annotation, and filter calls by rule: search is seen by itself."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Final, TypeVar

from pydantic import BaseModel

from agent.corpus_view import CorpusView
from agent.cost import Budget, Cost
from agent.errors import LimitReached, MalformedReply, QuestionError
from agent.evidence import Finding, Passage
from agent.history import Snapshot, Step
from agent.interpretation import interpretation_from
from agent.prompt_values import (
    AlignValues,
    ClarifyValues,
    ClassifyValues,
    InterpretValues,
    JudgeValues,
    ObserveValues,
    PlanValues,
    RewriteValues,
)
from agent.question import Condition, Interpretation, atoms
from agent.reasoner import Prompt, ToolCall, ToolSpec
from agent.reasoners.pilot import StandIn
from agent.replies import (
    AlignReply,
    ClarifyReply,
    ClassifyReply,
    EvidenceReply,
    FoundAmbiguity,
    InterpretReply,
    JudgeReply,
    ObserveReply,
    PairReply,
    QuotedReply,
    ReadingReply,
    RewriteReply,
)
from evals.annotated.fact_reader import FactReader, quoting
from evals.annotated.interpreting import interpreted, interpreted_reading
from evals.annotated.proof import Proof
from evals.annotated.skill import Chance, Skill, erring, judged
from evals.baselines.attempt import combined, decided_by_reading, unaided
from evals.baselines.baseline_prompts import (
    AnswerReply,
    AssessReply,
    BaselineValues,
    DiversifyReply,
    ItemReply,
    NoteReply,
    VerifyReply,
)
from evals.names import FUNCTION_WORDS, departure, normal_name, token_f1, tokens, without
from evals.questions import AnnotatedReading, Record
from tools.computation import Computed
from tools.corpus.corpus import Corpus

_PRIOR: Final = 10.0
"""What is guessed of a count that nothing is known of: the middle, in magnitude, of 1 to 100."""
WHY: Final = "from the labels of what was shown"
_TOO_FEW: Final = 20
"""A bad filter call keeps one candidate of so many."""
_IDLE: Final = 2
"""Searches in a row without anything new after which one gives up."""
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


def rewritten(prompt: Prompt, record: Record, corpus: Corpus) -> RewriteReply:
    """Return the annotated reading that the option chosen, or else the words of a reply, name.

    The last clause that names one counts; where none does, the likeliest reading stands.
    """
    exchange = prompt.values_as(RewriteValues).exchange
    if (option := exchange.chosen) is not None:
        meant = max(record.readings, key=lambda each: token_f1(option.meaning, each.rewritten))
    else:
        meant = _named(exchange.reply.text, record)
    return RewriteReply.whole(interpreted_reading(record, meant, corpus))


def _named(reply: str, record: Record) -> AnnotatedReading:
    for clause in reversed(_CLAUSES.split(reply)):
        scores = [_likeness(clause, each, record) for each in record.readings]
        best = max(scores, default=0.0)
        if best > 0 and scores.count(best) == 1:
            return record.readings[scores.index(best)]
    return record.readings[0]


def _likeness(reply: str, reading: AnnotatedReading, record: Record) -> float:
    """Compare a reply with the words of a reading that the question lacks."""
    own, said = (without(each, record.question) for each in (reading.rewritten, reply))
    return token_f1(said, own) if said and own else 0.0


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


class SkillReasoner(StandIn):
    """Answers one question's prompts from its annotation, as a model of a given skill would.

    The conditions, their logic and the operation are the annotated ones, and so are the readings
    of an ambiguous question; its words are never read. A passage proves a condition if and only if
    it overlaps evidence for it; evidence without spans makes every passage of a gold document a
    proof. Filter calls are chosen by rule. It writes no records and no hypothetical passages.

    What a baseline's prompt shows is read as a judging prompt is, and put together by code: so it
    understands a question exactly as well for each system, and what differs is what they show it.

    Errors befall each task at the skill's rates, by the seed and by what the task is about (see
    `Chance`): a place in a document, how many calls or queries came before, the snapshots before
    and after a call, an item's name. A prompt costs a call, four of its characters a token.
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
        self._chance = Chance(self._skill, record.id)
        self._budget = budget or Budget()
        self._replies: Mapping[str, Callable[[Prompt], BaseModel]] = {
            "align": self._aligned,
            "clarify": self._clarified,
            "classify": partial(classified, record=record),
            "interpret": self._interpreted,
            "judge": lambda prompt: self._judged(prompt.values_as(JudgeValues)),
            "observe": self._observed,
            "rewrite": partial(rewritten, record=record, corpus=corpus),
            "answer": self._answer,
            "assess": self._assess,
            "diversify": self._diversify,
            "note": self._note,
            "verify": self._verify,
        }
        if record.asked and record.folder:
            known = FactReader(record.asked, record.question, record.folder, self._skill)
            self._replies = {"classify": self._replies["classify"], **known.replies}
        elif record.intermediate_facts:
            facts, skilled = record.intermediate_facts, self._skill
            self._replies = {"answer": lambda prompt: quoting(prompt, facts, skilled)}

    @property
    def name(self) -> str:
        """The skill in words."""
        return self._skill.name

    def _answered(self, prompt: Prompt, reply: type[R]) -> R:
        """Answer from the annotation, with the errors of the skill; LimitReached ends that."""
        self._check_budget(prompt)
        answer = self._replies.get(prompt.name)
        if answer is None:
            raise (QuestionError if self._record.asked else MalformedReply)(
                f"the annotation of a question answers no {prompt.name!r} prompt: name a model"
            )
        return reply.model_validate(answer(prompt).model_dump())

    def _interpreted(self, prompt: Prompt) -> InterpretReply:
        """Return the question's interpretation; of an ambiguous one, the likeliest."""
        asked = prompt.values_as(InterpretValues).question
        if not self._record.readings:
            return self._wordless(interpreted(self._record, self._corpus))
        same = [each for each in self._record.readings if each.rewritten == asked]
        first, *_ = same or self._record.readings
        return interpreted_reading(self._record, first, self._corpus)

    def _wordless(self, reply: InterpretReply) -> InterpretReply:
        """Leave out the words of conditions for which the reader thinks of none."""
        told = []
        for each in reply.conditions:
            wordless = self._chance.hits(self._skill.searching, "words", each.text)
            bare: dict[str, list[str]] = {"terms": [], "counts": []} if wordless else {}
            told.append(each.model_copy(update=bare))
        return reply.model_copy(update={"conditions": told})

    def _clarified(self, prompt: Prompt) -> ClarifyReply:
        ambiguity = prompt.values_as(ClarifyValues).ambiguity
        return ClarifyReply(question=f"What is meant by “{ambiguity.span}”?")

    def _aligned(self, prompt: Prompt) -> AlignReply:
        """Take names for one where the labels write them alike."""
        told = []
        for number, (left, right) in enumerate(prompt.values_as(AlignValues).pairs, start=1):
            same = normal_name(left) == normal_name(right)
            told.append(PairReply(pair=number, reason="from the labels", same=same))
        return AlignReply(pairs=told)

    def _judged(self, values: JudgeValues) -> JudgeReply:
        by_entity = values.interpretation.grain == "entity"
        right = {
            number: self._proof.of(passage, values.conditions, by_entity=by_entity)
            for number, passage in enumerate(values.passages, start=1)
        }
        return erring(judged(right), values, self._chance)

    def _observed(self, prompt: Prompt) -> ObserveReply:
        """Undo a call of which a discarded passage that is shown proves something, err excepted."""
        values = prompt.values_as(ObserveValues)
        step = values.step
        proves = any(self._proof.of(each, values.conditions) for each in values.discarded or ())
        wrong = self._chance.hits(self._skill.observing, "observe", step.before, step.after)
        lost = proves != wrong
        idle = not step.kept or not step.discarded
        return ObserveReply(
            summary="from the labels",
            why="it seems to discard a proof" if lost else "nothing shown seems lost",
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

    @cached_property
    def _reading(self) -> Interpretation:
        """The question as it is annotated; raises QuestionError where it is not annotated."""
        reply = self._wordless(interpreted(self._record, self._corpus))
        return interpretation_from(reply, self._corpus.field_names)

    @cached_property
    def _unaided(self) -> Interpretation:
        """The question for somebody who sees no metadata but what the passages hold."""
        return unaided(self._reading)

    @cached_property
    def _queries(self) -> tuple[str, ...]:
        """What one may search for, in order: the question, its conditions, their other words."""
        conditions = decided_by_reading(self._unaided)
        told = [
            self._record.question,
            *(each.text for each in conditions),
            *("; ".join([*each.terms, *each.counts]) for each in conditions),
            *(f"{self._unaided.entity_type}: {each.text}" for each in conditions),
        ]
        return tuple(dict.fromkeys(each for each in told if each.strip()))

    def _next_query(self, tried: Sequence[str]) -> str | None:
        """Return what was not searched for yet, at times a vague one; None where nothing is left.

        The vague one is the name of the thing asked for alone.
        """
        vague = self._unaided.entity_type
        if vague not in tried and self._chance.hits(self._skill.searching, "query", len(tried)):
            return vague
        return next((each for each in self._queries if each not in tried), None)

    def _stated(self, passages: Sequence[Passage]) -> list[Finding]:
        """Return what the passages state, errors of the skill included."""
        if not passages:
            return []
        values = JudgeValues(
            question=self._unaided.text,
            interpretation=self._unaided,
            conditions=decided_by_reading(self._unaided),
            passages=passages,
        )
        reply = self._judged(values)
        return [
            _finding(entry, passages[each.passage - 1])
            for each in reply.passages
            for entry in each.evidence
        ]

    def _answer(self, prompt: Prompt) -> AnswerReply:
        """Answer from the passages shown; without any, guess."""
        if prompt.values_as(BaselineValues).passages is None:
            counted = self._unaided.operation == "count"
            return AnswerReply(
                reason="a guess", items=[], value=_PRIOR if counted else None, unit=None
            )
        shown = _passages(prompt)
        documents = list(dict.fromkeys(each.document for each in shown))
        found, computed = combined(self._unaided, self._stated(shown), documents)
        return AnswerReply(
            reason=WHY,
            items=[self._item(name, told, shown) for name, told in found.items()],
            value=self._value(found, computed),
            unit=computed.unit,
        )

    def _note(self, prompt: Prompt) -> NoteReply:
        """Note whatever the passages state of any condition, and what to search for next."""
        shown = _passages(prompt)
        values = prompt.values_as(BaselineValues)
        known = {each.quote for note in values.notes for each in note.evidence}
        new: dict[str, list[Finding]] = {}
        for each in self._stated(shown):
            if each.quote not in known:
                new.setdefault(each.entity, []).append(each)
        return NoteReply(
            items=[self._item(name, found, shown) for name, found in new.items()],
            query=self._next_query(values.queries),
        )

    def _item(self, name: str, told: Sequence[Finding], shown: Sequence[Passage]) -> ItemReply:
        """Return an item with its quotes; a document that states nothing is shown by a passage."""
        place = _places(shown)
        evidence = [QuotedReply(passage=place[each.chunk], quote=each.quote) for each in told]
        if not evidence:
            first = next(each for each in shown if each.document == name)
            evidence = [QuotedReply(passage=place[first.chunk], quote="")]
        return ItemReply(name=self._shown(name), evidence=evidence)

    def _shown(self, name: str) -> str:
        """Return a document's title, as a prompt shows it; other names as they are."""
        if self._unaided.grain != "document":
            return name
        corpus = self._corpus
        return corpus.titles[corpus.document_index(name)]

    def _value(self, found: Iterable[str], computed: Computed) -> float | None:
        value = computed.value
        if isinstance(value, Mapping) or value is None or self._unaided.operation == "list":
            return None
        counted = self._unaided.operation == "count"
        return float(value) + sum(self._slip(name) for name in found if counted)

    def _slip(self, name: str) -> int:
        """Return -1 where an item is passed over in counting, 1 where it is counted twice."""
        if not self._chance.hits(self._skill.counting, "count", name):
            return 0
        return -1 if self._chance.hits(0.5, "slip", name) else 1

    def _chosen(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Choose the next call: by rule, or a bad one."""
        self._check_budget(prompt)
        if prompt.name == "act":
            offered = {tool.name for tool in tools}
            if "search" in offered:
                return self._searched(prompt)
            values = self._planning(prompt.values_as(BaselineValues), offered)
        else:
            values = prompt.values_as(PlanValues)
        call = planned(values)
        made = [step for step in values.history if not step.certain]
        if call.tool == "finish" or not self._chance.hits(self._skill.searching, "call", len(made)):
            return call
        return self._bad_call(values.snapshot)

    def _assess(self, prompt: Prompt) -> AssessReply:
        """Grade a search by the share of its passages that state something."""
        shown = _passages(prompt)
        stating = {each.chunk for each in self._stated(shown)}
        query = self._next_query(prompt.values_as(BaselineValues).queries)
        quality = len(stating) / len(shown) if shown else 0.0
        return AssessReply(reason=WHY, quality=quality, query=query)

    def _diversify(self, prompt: Prompt) -> DiversifyReply:
        """Put the question in other words, as far as the reading has any."""
        told = [self._record.question]
        for _ in range(prompt.values_as(BaselineValues).number):
            told.append(self._next_query(told) or self._record.question)
        return DiversifyReply(readings=told[1:])

    def _verify(self, prompt: Prompt) -> VerifyReply:
        """Take the passages that state something for useful."""
        shown = _passages(prompt)
        stated = self._stated(shown)
        seen = {each.condition for each in stated}
        whole = {each.id for each in decided_by_reading(self._unaided)} <= seen
        return VerifyReply(
            reason=WHY,
            useful=sorted({_places(shown)[each.chunk] for each in stated}),
            verdict="useful" if whole else "partly" if seen else "useless",
        )

    def _searched(self, prompt: Prompt) -> ToolCall:
        history = prompt.values_as(BaselineValues).history
        tried = [str(step.call.arguments.get("query", "")) for step in history]
        idle = [step for step in history[-_IDLE:] if not step.kept]
        query = self._next_query(tried)
        if query is None or len(idle) == _IDLE:
            return ToolCall(tool="finish", arguments={}, why="nothing new is to be expected")
        return ToolCall(tool="search", arguments={"query": query}, why="not searched for yet")

    def _planning(self, shown: BaselineValues, offered: set[str]) -> PlanValues:
        """Put the choice of a filter as the main graph puts it."""
        if shown.snapshot is None:
            raise TypeError("the prompt `act` holds no snapshot")
        reading = self._reading
        every = list(atoms(reading.conditions))
        return PlanValues(
            interpretation=reading,
            conditions=[each for each in every if each.predicate is None],
            history=shown.history,
            snapshot=shown.snapshot,
            corpus=self._corpus,
            decided=[each.id for each in every if each.predicate is not None],
            tools=sorted(offered),
        )

    def _bad_call(self, snapshot: Snapshot) -> ToolCall:
        """Return a call that keeps far too little, by the name of the thing asked for."""
        kept = max(1, snapshot.kept // _TOO_FEW)
        query = self._unaided.entity_type
        return ToolCall(tool="bm25", arguments={"query": query, "best": kept}, why="a bad guess")


def _tokens(text: str) -> int:
    return math.ceil(len(text) / _CHARACTERS_PER_TOKEN)


def _finding(said: EvidenceReply, passage: Passage) -> Finding:
    start = passage.start + passage.text.index(said.quote)
    return Finding(
        chunk=passage.chunk,
        document=passage.document,
        entity=said.entity or passage.document,
        start=start,
        end=start + len(said.quote),
        **said.model_dump(include={"condition", "quote", "value", "unit"}),
    )


def _places(shown: Sequence[Passage]) -> dict[int, int]:
    """Return by chunk the number of the passage that shows it."""
    return {each.chunk: number for number, each in enumerate(shown, start=1)}


def _passages(prompt: Prompt) -> Sequence[Passage]:
    return prompt.values_as(BaselineValues).shown


_FEW: Final = 400
"""So few candidates are read rather than filtered."""
_SHARES: Final = (0.7, 0.85, 1.0)
"""Of the corpus, what words may keep: more each time that a call was undone."""
_COMMON: Final = 0.3
"""Words in more of the chunks than this say nothing."""
_LIKE: Final = {"semantic": "min_cosine", "bm25": "min_score"}
"""The filters by likeness, each with the argument of its floor."""
_LIKE_SHARE: Final = 0.25
_LIKE_LEAST: Final = 100
_ROOT: Final = 4
_ENDING: Final = re.compile(
    r"(?:ations?|itions?|itors?|ions?|able|ible|ive|ment|[ae]nce|ing|ed|e?s|e)$"
)
_ENDINGS: Final = (
    *("e", "er", "ers", "or", "ors", "ion", "ions", "ation", "ations", "ition", "itions", "itor"),
    *("itors", "itive", "ative", "ment", "ments", "al", "able", "ible", "ance", "ence", "ive"),
)
_NAME: Final = re.compile(r"(?<=[\w,=] )[A-Z][\w-]+")


def planned(values: PlanValues) -> ToolCall:
    """Return the next filter call for the prompt `plan`; `finish` where nothing is left to try."""
    made = [(step.call.tool, step.call.arguments) for step in values.history]
    for call in _proposals(values):
        if call.tool in values.tools and (call.tool, call.arguments) not in made:
            return call
    return _finish("nothing is left to try")


def _tried(search: PlanValues, *tools: str) -> list[Step]:
    """Return the rounds that called one of the tools."""
    return [step for step in search.history if step.call.tool in tools]


def _standing(search: PlanValues, *tools: str) -> Step | None:
    """Return the last round of one of the tools that was neither refused nor undone."""
    undone = {"again", "rollback"}
    tried = _tried(search, *tools)
    good = [step for step in tried if not step.refused and step.verdict not in undone]
    return good[-1] if good else None


def _proposals(search: PlanValues) -> Iterator[ToolCall]:
    """Yield what to call, the best first: words, then likeness among the same, then both."""
    words, rounds = _standing(search, "keywords"), len(_tried(search, "keywords"))
    conditions = [each for each in search.conditions if each.id not in search.decided]
    if not conditions:
        yield _finish("no condition is left for reading")
    if search.snapshot.kept <= _FEW and not rounds:
        yield _finish(f"{search.snapshot.kept} candidates are few enough to read them all")
    if words is None and rounds < len(_SHARES):
        telling = _telling(conditions, search.corpus, _SHARES[rounds])
        if telling:
            yield ToolCall(
                tool="keywords",
                arguments={"words": [*telling], "match": "any", "at_least": None, "stem": True},
                why="a chunk that states a condition has one of its telling words",
            )
    # what names nothing may be stated in other words than its own
    loose = [each for each in conditions if not (each.terms or _names(each))]
    if loose and not _tried(search, *_LIKE):
        yield from _by_likeness(loose, search, words)
    if words is not None and search.snapshot.id != words.after:
        yield from _together(search, words)


def _telling(conditions: Sequence[Condition], corpus: CorpusView, share: float) -> tuple[str, ...]:
    """Return the rarest word of each way to put a condition, and more while few chunks have any."""
    wanted: dict[str, float] = {}
    spare: dict[str, float] = {}
    for told in (each for condition in conditions for each in _wordings(condition, corpus)):
        known = {word: _commonness(word, corpus) for word in told}
        rare = sorted((part, word) for word, part in known.items() if 0 < part <= _COMMON)
        wanted |= {word: part for part, word in rare[:1]}
        spare |= {word: part for part, word in rare[1:]}
    absent = 1.0
    for part in wanted.values():
        absent *= 1 - part
    for word, part in sorted(spare.items(), key=lambda each: each[1]):
        if word not in wanted and 1 - absent * (1 - part) <= share:
            wanted[word] = part
            absent *= 1 - part
    return tuple(dict.fromkeys(form for word in wanted for form in _derived(word, corpus)))


def _derived(word: str, corpus: CorpusView) -> Iterator[str]:
    """Yield a word and the corpus's words that are derived from it: `competitor` of `competing`."""
    yield word
    root = _ENDING.sub("", word)
    if len(root) >= _ROOT:
        for ending in _ENDINGS:
            if corpus.lexicon.frequency(root + ending):
                yield root + ending


def _wordings(condition: Condition, corpus: CorpusView) -> Iterator[Sequence[str]]:
    """Yield the words of each way to put a condition, as the documents spell them."""
    names = _names(condition)
    if condition.terms or names:
        yield condition.terms or names
        return
    for each in (condition.text, *condition.counts):
        words = [word for word in tokens(each) if word not in FUNCTION_WORDS]
        yield [
            word
            if corpus.lexicon.frequency(word)
            else next(iter(corpus.lexicon.spellings(word)), word)
            for word in words
        ]


def _names(condition: Condition) -> list[str]:
    """Return the words that name something: written in capitals, not at the beginning."""
    return [word.casefold() for word in _NAME.findall(condition.text)]


def _commonness(word: str, corpus: CorpusView) -> float:
    """Return the share of the chunks that have an inflection of a word, at most."""
    forms = corpus.lexicon.inflections(word) or (word,)
    return min(1.0, sum(map(corpus.lexicon.frequency, forms)) / max(1, corpus.chunk_count))


def _by_likeness(
    loose: Sequence[Condition], search: PlanValues, words: Step | None
) -> Iterator[ToolCall]:
    """Go back to the words' parent, and look there for what is put in other words."""
    if words is not None and search.snapshot.id == words.after:
        yield _rollback(
            words.before, "what is put in other words is looked for among the same candidates"
        )
    best = max(_LIKE_LEAST, round(_LIKE_SHARE * search.snapshot.kept))
    here = words is None or search.snapshot.id == words.before
    query = "; ".join(" ".join((each.text, *each.counts)) for each in loose)
    for tool, floor in _LIKE.items() if here and best < search.snapshot.kept else ():
        yield ToolCall(
            tool=tool,
            arguments={"query": query, "best": best, floor: None},
            why="the passages most like the conditions' own words",
        )


def _together(search: PlanValues, words: Step) -> Iterator[ToolCall]:
    """Join what words and likeness keep; where likeness brought nothing, return to the words."""
    like = _standing(search, *_LIKE)
    if like is None:
        yield _rollback(words.after, "likeness brought nothing more")
    elif search.snapshot.id == like.after:
        yield ToolCall(
            tool="union",
            arguments={"snapshots": [words.after, like.after]},
            why="a chunk that either way found may state a condition",
        )


def _rollback(snapshot: str, why: str) -> ToolCall:
    return ToolCall(tool="rollback", arguments={"snapshot": snapshot}, why=why)


def _finish(why: str) -> ToolCall:
    return ToolCall(tool="finish", arguments={}, why=why)
