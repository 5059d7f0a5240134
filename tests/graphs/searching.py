"""Letters of which a test says what is relevant, and a judge who knows nothing else."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from agent.answer import Answer
from agent.errors import LimitReached, MalformedReply
from agent.evidence import Finding, Passage
from agent.history import Step
from agent.interpretation import interpretation_from
from agent.policy import Policy
from agent.prompt_values import JudgeValues, PlanValues
from agent.question import Interpretation, atoms, verdict
from agent.reasoner import Prompt, ToolCall
from agent.replies import InterpretReply
from agent.state import State
from evals.ablation import Ablation, context_under
from graphs.context import Context
from graphs.conversation import RunState
from graphs.headcount import build_graph
from tests.built import built, built_once
from tests.graphs.replies import KEEP, atom, interpreted, proof, verdicts
from tests.integration import asking
from tests.scripted import Scripted, ScriptedReasoner
from tools.corpus.corpus import Corpus

LETTERS = 12
TOWNS = ("Leeds", "York", "Hull")
WORDS = (
    *("apple", "barn", "candle", "dock", "engine", "fence", "garden", "hammer"),
    *("island", "jacket", "kettle", "ladder", "mirror", "needle", "orchard", "pillow"),
)
"""Each sentence of a letter has two of them: what the filters look for."""
NAMES = (
    *("Ashgrove", "Brickwell", "Calderon", "Dunmore", "Elphinstone", "Farraday", "Gullick"),
    *("Hartnell", "Ingleby", "Jessop", "Kilbride", "Lomax", "Merriden", "Northcott", "Osgood"),
)
"""Names that nobody takes for one another."""
LOOP = Ablation(scan=False, few_candidates=0, audit=15, batch_tokens=200)
"""Feedback and audits as they are by default, with a small audit and small requests."""


def letters(number: int = LETTERS, sentences: int = 36) -> dict[str, str]:
    """Return letters in which no sentence stands twice."""
    return {f"letter-{each:02}": _letter(each, sentences) for each in range(number)}


def _letter(number: int, sentences: int) -> str:
    drawn = random.Random(number)
    body = " ".join(
        f"Item {part} of letter {number} is about the {drawn.choice(WORDS)} and the "
        f"{drawn.choice(WORDS)}."
        for part in range(sentences)
    )
    return f"Title: Letter {number}\nTown: {TOWNS[number % 3]}\n\nLetter {number}\n\n{body}\n"


def corpus_of(texts: Mapping[str, str], place: Path, *, chunk_tokens: int = 80) -> Corpus:
    """Build a corpus of the texts, by name."""
    files = {f"{name}.txt": text for name, text in texts.items()}
    return built(files, place, chunk_tokens=chunk_tokens, overlap=20)


def letters_once(number: int = LETTERS, sentences: int = 36) -> Any:
    """Return a fixture: a corpus of letters."""
    return built_once(partial(corpus_of, letters(number, sentences)))


def in_town(name: str, town: str) -> dict[str, Any]:
    """Return a condition that a field decides."""
    return atom(name, text=f"is of {town}", field="Town", comparison="is", values=[town])


@dataclass(frozen=True, kw_only=True)
class Case:
    """What is relevant, how the question is read, and what goes wrong."""

    relevant: Mapping[str, frozenset[int]]
    """By condition, the chunks that prove it to whoever reads them."""
    reading: Mapping[str, Any] = field(default_factory=interpreted)
    words: tuple[str, ...] = ()
    """What the only filter looks for; none at all without words."""
    broken: frozenset[int] = frozenset()
    """Chunks of which no request brings a usable reply."""
    borderline: frozenset[int] = frozenset()
    """Chunks that one careful reader would count and another would not."""
    requests: int = 10_000
    """Judging requests until a limit is reached."""
    seek: str = ""
    """What the reader would search by next."""
    named: Callable[[int], list[str]] = lambda chunk: [""]
    """The entities that a chunk names."""
    value: float | None = None
    """The number that each piece of evidence states."""

    def matching(self, corpus: Corpus) -> set[str]:
        """Return the documents that match once everything is read."""
        tree = interpretation_from(
            InterpretReply.model_validate(self.reading), [each.name for each in corpus.fields]
        ).conditions
        holding = {
            each.id: {corpus.documents[corpus.chunk_document[chunk]] for chunk in found}
            for each in atoms(tree)
            for found in [self.relevant.get(each.id, frozenset())]
        }
        return {
            name
            for name in corpus.documents
            if verdict(tree, lambda each, name=name: name in holding[each.id])  # type: ignore[misc]
        }


def reasoner_for(corpus: Corpus, case: Case, **told: Any) -> ScriptedReasoner:
    """Return who reads the case."""
    requests = iter(range(case.requests))

    def judge(prompt: Prompt) -> Scripted:
        if next(requests, None) is None:
            return LimitReached("calls")
        shown: dict[int, Passage] = dict(enumerate(_passages(prompt), start=1))
        if case.broken & {each.chunk for each in shown.values()}:
            return MalformedReply("no JSON")
        told = verdicts({at: _proofs(corpus, case, each.chunk) for at, each in shown.items()})
        return told | ({"seek": case.seek} if prompt.values_as(JudgeValues).seek else {})

    def plan(prompt: Prompt) -> Scripted:
        steps: tuple[Step, ...] = prompt.values_as(PlanValues).history
        if not case.words or not all(step.certain for step in steps):
            return {"tool": "finish", "arguments": {}}
        return {"tool": "keywords", "arguments": {"words": list(case.words), "match": "any"}}

    script: dict[str, Callable[[Prompt], Scripted]] = {
        "interpret": lambda prompt: case.reading,
        "classify": lambda prompt: {"ambiguities": []},
        "plan": plan,
        "observe": lambda prompt: KEEP,
        "judge": judge,
        "align": lambda prompt: {"pairs": []},
    }
    return ScriptedReasoner(script, **told)


def _passages(prompt: Prompt) -> tuple[Passage, ...]:
    shown: tuple[Passage, ...] = prompt.values_as(JudgeValues).passages
    return shown


def _proofs(corpus: Corpus, case: Case, chunk: int) -> list[dict[str, Any]]:
    certainty = "borderline" if chunk in case.borderline else "certain"
    found = proof(own_words(corpus, chunk), certainty=certainty, value=case.value)
    return [
        found | {"condition": condition, "entity": name}
        for condition, chunks in case.relevant.items()
        if chunk in chunks
        for name in case.named(chunk)
    ]


def step(tool: str, number: int = 1, before: str = "a", after: str = "b") -> Step:
    """Return a step that called a tool."""
    return Step(round=number, call=ToolCall(tool=tool, arguments={}), before=before, after=after)


def own_words(corpus: Corpus, chunk: int) -> str:
    """Return words that stand in this chunk and in no other."""
    document = int(corpus.chunk_document[chunk])
    within = corpus.chunks_of(document)
    start, end = int(corpus.chunk_start[chunk]), int(corpus.chunk_end[chunk])
    if chunk - 1 in within:
        start = max(start, int(corpus.chunk_end[chunk - 1]))
    if chunk + 1 in within:
        end = min(end, int(corpus.chunk_start[chunk + 1]))
    return corpus.document_text(document)[start:end].strip()


def holding(corpus: Corpus, words: str) -> frozenset[int]:
    """Return the chunks that hold these words."""
    return frozenset(each for each in range(len(corpus)) if words in corpus.chunk_text(each))


def finding(corpus: Corpus, chunk: int, condition: str, quote: str, **more: Any) -> Finding:
    """Return what a reader finds where a chunk's document first has these words."""
    document = int(corpus.chunk_document[chunk])
    name, start = corpus.documents[document], corpus.document_text(document).index(quote)
    return Finding(
        chunk=chunk,
        document=name,
        condition=condition,
        entity=name,
        start=start,
        end=start + len(quote),
        quote=quote,
        by="test",
        **more,
    )


def context_of(
    corpus: Corpus,
    reasoner: ScriptedReasoner | None = None,
    policy: Policy | None = None,
    **more: Any,
) -> Context:
    """Return a context with the components that the policy names."""
    return context_under(policy or Policy(), corpus, reasoner or ScriptedReasoner({}), **more)


def begun(context: Context, reading: Interpretation, **told: Any) -> State:
    """Enter a run whose question was read so; the state has what is told."""
    run = context.new_run()
    context.store.create(run, "?", "digest", "graph", "model", "now")
    return State(question="?", run=run, interpretation=reading, **told)


def ran(
    corpus: Corpus,
    case: Case,
    policy: Policy = LOOP,
    *,
    reasoner: ScriptedReasoner | None = None,
    question: str = "How many?",
    **more: Any,
) -> State:
    """Ask the question of the graph and return the state at the end."""
    context = context_of(corpus, reasoner or reasoner_for(corpus, case), policy, **more)
    with context.store:
        asked: Any = {"question": question}
        return RunState(**build_graph().invoke(asked, context=context))


def answer_of(state: State) -> Answer:
    """Return the answer of a run that gave one."""
    assert state.answer is not None
    return state.answer


def count_of(state: State) -> int:
    """Return the number that a run counted."""
    counted = answer_of(state).value
    assert isinstance(counted, int)
    return counted


def bounds_of(state: State) -> tuple[float, float]:
    """Return the bounds of an answer that has some."""
    told = answer_of(state).bounds
    assert told is not None
    return told


def adds_up(state: State) -> bool:
    """Tell whether every chunk is in one state."""
    return asking.adds_up(answer_of(state))


def tools_of(state: State) -> list[str]:
    """Return the tools of the history, in order."""
    return [step.call.tool for step in state.history]


def purposes(state: State) -> list[str]:
    """Return what the rounds of reading were for, in order."""
    return [each.purpose for each in state.rounds]


def read_chunks(reasoner: ScriptedReasoner) -> list[int]:
    """Return the chunks that judging requests showed, in order."""
    shown = (_passages(each) for each in reasoner.prompts if each.name == "judge")
    return [passage.chunk for passages in shown for passage in passages]
