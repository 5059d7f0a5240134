"""ADF's graph and its baselines answer questions with several readings: the tables of ADF.

All answer by one prompt, ADF's synthesis; they differ in what they retrieve for it. A system's
answers are those of its readings, cut at semicolons: D-F1 counts a true reading as covered by any
of them, `d_f1_text` by the whole text, as it is published, and `d_f1_one` by the first answer of
each of the system's readings, as from a model that gives one where it is asked for one.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import combinations, product
from multiprocessing import get_context
from operator import sub
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any, Final, get_args

import numpy as np
from langgraph.runtime import Runtime
from rapidfuzz.distance import LCSseq

from agent.adf_state import (
    AdfAnswer,
    AdfOptions,
    AdfQuestion,
    AdfState,
    AdfUpdate,
    Intent,
    Retrieval,
)
from agent.ambiguity import Coherence
from agent.errors import QuestionError
from agent.value import Value
from evals.annotated.readings_reasoner import SEVERAL, ReadingsReasoner, true_answers
from evals.annotated.skill_reasoner import SkillReasoner
from evals.baselines.attempt import Attempt
from evals.baselines.baseline_prompts import BaselineValues, MeaningReply, baseline_prompt
from evals.baselines.baselines import Method, diversify_verify_adapt, iterative
from evals.experiment import isolated
from evals.names import token_f1, tokens
from evals.question_sets.several_readings import SAME
from evals.questions import Record, load
from evals.readers import reader_of
from evals.scopes import Corpora, Scope
from evals.scores import estimate
from evals.spans import gold_chunks, recall
from evals.tables import difference, figures, markdown, number
from graphs import adf
from graphs.asking import ask_all
from graphs.context import Context
from graphs.disambiguation import retrieve as first_retrieval
from tools.corpus.corpus import Corpus
from tools.retrieval import AMBIGNQ, Thresholds, alternating, reciprocal_rank_fusion, state
from tools.retrieval import retrieve as ranked

K: Final = 5
"""Passages of a retrieval (ADF, section 5.3.4)."""
ASQA: Final = Thresholds(dispersion=0.15, separability=0.05)
"""Published for ASQA."""
Figures = dict[str, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replied:
    """What a system replied to a question."""

    answers: Sequence[str]
    """Of each of its readings that it answered."""
    text: str
    ranking: Sequence[int]
    """The chunks it answered from, in the order shown."""
    readings: Sequence[Intent] = ()


Answering = Callable[[str, Context, AdfOptions], Replied]
Ablated = tuple[tuple[adf.Node, adf.Node], ...]
"""Nodes of the graph, each with the one that takes its place."""


@cache
def _graph(instead: Ablated) -> Any:
    return adf.build_adf_graph(instead=dict(instead))


def by_graph(
    question: str, context: Context, options: AdfOptions, *, instead: Ablated = (), **changed: Any
) -> Replied:
    """Answer by ADF's graph, with other nodes or options."""
    asked = AdfQuestion(question=question, options=options.model_copy(update=changed))
    answer: AdfAnswer = _graph(instead).invoke(vars(asked), context=context)["answer"]
    shown = dict.fromkeys(alternating(each.retrieved for each in answer.readings))
    return _replied(answer, [*shown])


def _replied(answer: AdfAnswer, ranking: Sequence[int]) -> Replied:
    found = [each.answer for each in answer.readings if each.answer]
    text = answer.text or SEVERAL.join(found)
    return Replied(answers=found, text=text, ranking=ranking, readings=answer.readings)


def _clear(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:  # noqa: ARG001
    """Take every question for clear: vanilla RAG, as algorithm 1 has it in line 6."""
    return {"verdict": "clear"}


def _unwritten(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:  # noqa: ARG001
    """Write no hypothetical passages: the direct pathway is left."""
    return {}


def _latent(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
    """Retrieve for the hypothetical passages alone."""
    bare = (each.model_copy(update={"question": ""}) for each in state.intents)
    return adf.retrieve(replace(state, intents=tuple(bare)), runtime)


def _pooled(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
    """Fuse the rankings of all readings into one, of which k are left (ADF, algorithm 1)."""
    if not state.intents:
        return adf.retrieve(state, runtime)
    own = [_pathways(each, runtime.context.corpus, state.options) for each in state.intents]
    pool = reciprocal_rank_fusion([way for ways in own for way in ways])[: state.options.k]
    found = []
    for intent, ways in zip(state.intents, own, strict=True):
        left = tuple(chunk for chunk, _ in pool if any(chunk in way for way in ways))
        found.append(intent.model_copy(update={"retrieved": left}))
    return {"intents": tuple(found)}


def _pathways(intent: Intent, corpus: Corpus, options: AdfOptions) -> list[list[int]]:
    texts = filter(None, (intent.question, intent.hypothesis))
    return [ranked(corpus, text, 2 * options.k, mode=options.retrieval) for text in texts]


@dataclass(kw_only=True, eq=False)
class ReadingAttempt(Attempt):
    """A baseline's attempt that searches in one mode and answers by ADF's synthesis."""

    options: AdfOptions
    answer: AdfAnswer | None = field(default=None, init=False)

    def search(
        self,
        query: str,
        k: int | None,
        mode: Retrieval,  # noqa: ARG002
        among: Container[int] | None = None,
    ) -> tuple[list[int], int]:
        """Retrieve in the mode of the options, whatever the baseline's own is."""
        return super().search(query, k, self.options.retrieval, among)

    def answer_read(self) -> None:
        """Answer the question as asked from all that was retrieved."""
        told = {"question": self.question, "chunks": self.chunks, "retrieved": self.chunks}
        alone = Intent.model_validate({"label": "as asked", "why": "", **told})
        given = AdfState(question=self.question, options=self.options, intents=(alone,))
        self.answer = adf.synthesise(given, self.runtime)["answer"]


def by_baseline(question: str, context: Context, options: AdfOptions, *, method: Method) -> Replied:
    """Answer by a baseline's steps."""
    attempt = ReadingAttempt(question=question, context=context, options=options)
    method(attempt)
    if attempt.answer is not None:
        return _replied(attempt.answer, attempt.chunks)
    names = [each.name for each in attempt.items]
    return Replied(answers=names, text=SEVERAL.join(names), ranking=attempt.chunks)


_CLEARED: Final[Ablated] = ((adf.gate, _clear),)
_POOLED: Final[Ablated] = ((adf.retrieve, _pooled),)
ARMS: Final[Mapping[str, Answering]] = {
    "vanilla": partial(by_graph, instead=_CLEARED),
    "vanilla, 20 passages": partial(by_graph, instead=_CLEARED, k=4 * K),
    "iterative": partial(by_baseline, method=partial(iterative, k=K)),
    "diva": partial(by_baseline, method=partial(diversify_verify_adapt, k=K)),
    "adf as published": partial(by_graph, instead=_POOLED, thresholds="ambignq"),
    "adf": by_graph,
    "adf, no gate": partial(by_graph, gate="off"),
    "no gate, pooled": partial(by_graph, instead=_POOLED, gate="off"),
    "no gate, no hyde": partial(by_graph, instead=((adf.hypothesise, _unwritten),), gate="off"),
    "no gate, hyde alone": partial(by_graph, instead=((adf.retrieve, _latent),), gate="off"),
}
"""The others are compared with the first two: four readings get up to 20 passages."""


def judged(record: Record, replied: Replied, context: Context) -> Figures:
    """Ask the model for ADF's similarity and disambiguation scores (ADF, section 5.2.2)."""
    numbered = zip(record.readings, true_answers(record), strict=True)
    true = (f"{n}. {one.rewritten} {said}" for n, (one, said) in enumerate(numbered, start=1))
    values = BaselineValues(question=record.question, queries=[*true], answer=replied.text)
    prompt = baseline_prompt("meaning", values)
    (reply,) = ask_all(Runtime(context=context), [("the answer", prompt)], MeaningReply).replies
    if reply is None:
        return {"similarity": None, "disambiguation": None}
    known = set(reply.covered) & set(range(1, len(record.readings) + 1))
    near = min(1.0, max(0.0, reply.similarity))
    return {"similarity": near, "disambiguation": len(known) / len(record.readings)}


def scored(record: Record, replied: Replied, corpus: Corpus) -> Figures:
    """Return ADF's measures of an answer and of what was retrieved for it (ADF, section 5.2).

    `precision` is the share of the answers that are true ones; the reference of ROUGE-L is all true
    answers, in the order of the questions' file, since nobody wrote a long one.
    """
    true, gold = true_answers(record), gold_chunks(record, corpus)
    parts = [part for each in replied.answers for part in each.split(SEVERAL)]
    d_f1, rouge = covered(parts, true), rouge_l(replied.text, SEVERAL.join(true))
    return {
        "f1": max(token_f1(replied.text, each) for each in true),
        "d_f1": d_f1,
        "d_f1_text": covered([replied.text], true),
        "d_f1_one": covered([each.split(SEVERAL)[0] for each in replied.answers], true),
        "precision": covered(true, parts) if parts else None,
        "rouge_l": rouge,
        "dr_f1": (d_f1 * rouge) ** 0.5,
        "ndcg_at_5": ndcg(replied.ranking, {each.chunk for each in gold}),
        "recall_at_5": recall(gold, replied.ranking[:K]),
        "recall": recall(gold, replied.ranking),
        "passages": float(len(replied.ranking)),
    }


def covered(said: Sequence[str], true: Sequence[str]) -> float:
    """Return the share of the true answers that some answer has a token F1 of .5 with.

    >>> covered(["five years", "one month"], ["five (5) years", "two weeks"])
    0.5
    """
    return fmean(any(token_f1(one, each) >= SAME for one in said) for each in true)


def rouge_l(said: str, true: str) -> float:
    """Return ROUGE-L: the F1 of the longest common subsequence of words.

    >>> rouge_l("the red house stands", "a red old house")
    0.6666666666666666
    """
    one, other = tokens(said), tokens(true)
    common = LCSseq.similarity(one, other)
    return 2 * common / (len(one) + len(other)) if common else 0.0


def ndcg(ranking: Sequence[int], gold: set[int]) -> float:
    """Return nDCG@5, a gold chunk counting 1 and any other 0.

    >>> round(ndcg([7, 8], {8}), 3), ndcg([], {8})
    (0.631, 0.0)
    """
    from sklearn.metrics import ndcg_score

    missing = gold.difference(ranking)
    hits = [*(each in gold for each in ranking), *[False] * K, *[True] * len(missing)]
    return float(ndcg_score([hits], [-np.arange(len(hits))], k=K))


def overlaps(replied: Replied, corpus: Corpus, options: AdfOptions) -> Figures:
    """Return what the two pathways, and what the readings, have in common (mean Jaccard)."""
    ways = [_pathways(each, corpus, options) for each in replied.readings if each.hypothesis]
    pathways = [_shared(*each) for each in ways if len(each) == 2]
    pairs = combinations((each.retrieved for each in replied.readings), 2)
    readings = [_shared(one, other) for one, other in pairs]
    return {
        "readings": float(len(replied.readings)),
        "pathway_overlap": fmean(pathways) if pathways else None,
        "reading_overlap": fmean(readings) if readings else None,
    }


def _shared(one: Sequence[int], other: Sequence[int]) -> float:
    return len({*one} & {*other}) / max(1, len({*one} | {*other}))


class Asked(Value):
    """One question as every arm answered it, in one mode of retrieval."""

    id: str
    collection: str
    mode: Retrieval
    several: bool
    """Whether it has several readings; else it is a control."""
    first: Coherence
    """Of the first retrieval; its state is by the corpus's own thresholds."""
    arms: dict[str, Figures]


def _answered(system: Answering, record: Record, context: Context, options: AdfOptions) -> Figures:
    """Ask one system, and return all that is measured of its answer."""
    with context.store:
        began = perf_counter()
        replied = system(record.question, context, options)
        seconds, spent = perf_counter() - began, context.reasoner.spent()
    return {
        **scored(record, replied, context.corpus),
        **overlaps(replied, context.corpus, options),
        **({} if isinstance(context.reasoner, SkillReasoner) else judged(record, replied, context)),
        "tokens": float(spent.input_tokens + spent.output_tokens),
        "calls": float(spent.model_calls),
        "seconds": seconds,
    }


def measured(
    corpus: Path, records: Sequence[Record], mode: Retrieval, reasoner: str, seed: int
) -> list[Asked]:
    """Ask every arm every question, over a copy of the index, in one mode of retrieval."""
    options, cache_file = AdfOptions(retrieval=mode), corpus.with_name("responses.sqlite")
    reads = partial(reader_of, reasoner, cache=cache_file, seed=seed, annotated=ReadingsReasoner)
    found = []
    with isolated(corpus, corpus.parent) as opened:
        for record in records:
            asked = {}
            for arm, system in ARMS.items():
                context = Context(corpus=opened, reasoner=reads(record, opened))
                asked[arm] = _answered(system, record, context, options)
            _, first = first_retrieval(record.question, context, options)
            found.append(
                Asked(
                    id=record.id,
                    collection=record.corpus,
                    mode=mode,
                    several=len(record.readings) > 1,
                    first=first or Coherence(dispersion=0, separability=0, state="clear"),
                    arms=asked,
                )
            )
    return found


def asking(
    folder: Path, reasoner: str, place: Path, say: Callable[[str], None], *, seed: int, jobs: int
) -> list[Asked]:
    """Ask all questions that `headcount-eval build readings` wrote into a folder.

    Raises QuestionError: it holds none with readings and the passages that answer them.
    """
    corpora = Corpora(place, say)
    grouped: defaultdict[str, list[Record]] = defaultdict(list)
    for record in load(folder / "questions.jsonl"):
        if record.readings and record.gold_evidence:
            grouped[record.corpus].append(record)
    if not grouped:
        raise QuestionError(f"{str(folder)!r} has no questions with readings: build them first")
    indexes = [corpora.over(Scope(folder / name)).path for name in grouped]
    pairs = zip(indexes, grouped.values(), strict=True)
    tasks = [(*pair, mode, reasoner, seed) for pair in pairs for mode in get_args(Retrieval)]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        return [each for found in pool.map(measured, *zip(*tasks, strict=True)) for each in found]


def tables(asked: Sequence[Asked]) -> str:
    """Return, for each mode, the arms' figures, by how much they differ, and what gates tell."""
    parts = []
    for mode in dict.fromkeys(each.mode for each in asked):
        own = [each for each in asked if each.mode == mode]
        board = {arm: _board(own, arm) for arm in own[0].arms}
        parts += [figures(f"{mode}: several readings", board), _differences(own, mode)]
        if not all(each.several for each in own):
            parts.append(figures(f"{mode}: gate by", dict(_gates(own))))
    return "\n\n".join(parts)


def _board(asked: Sequence[Asked], arm: str) -> Figures:
    """Return the means over questions with several readings, and two over the controls."""
    several = [each.arms[arm] for each in asked if each.several]
    controls = [each.arms[arm] for each in asked if not each.several]
    told: Figures = {name: _mean(several, name) for name in several[0] if name != "seconds"}
    seconds = [each.arms[arm]["seconds"] or 0.0 for each in asked]
    ranks = np.percentile(seconds, (50, 95, 99)).tolist()
    told |= dict(zip(("p50_seconds", "p95_seconds", "p99_seconds"), ranks, strict=True))
    return told | {f"control_{name}": _mean(controls, name) for name in ("d_f1", "tokens")}


def _mean(rows: Sequence[Figures], name: str) -> float | None:
    return estimate([each[name] for each in rows]).value


def _differences(asked: Sequence[Asked], mode: Retrieval) -> str:
    """Return each arm's D-F1 by collection, and what it is in all minus that of the first two."""
    several = [each for each in asked if each.several]
    names = [*dict.fromkeys(each.collection for each in several)]
    held = {arm: [each.arms[arm]["d_f1"] or 0.0 for each in several] for arm in several[0].arms}
    first = [*held][:2]
    rows = []
    for arm, own in held.items():
        parts = [
            fmean(one for one, each in zip(own, several, strict=True) if each.collection == name)
            for name in names
        ]
        minus = (difference(estimate([*map(sub, own, held[one])])) for one in first)
        rows.append([arm, *map(number, parts), *minus])
    return markdown((f"{mode}: D-F1", *names, *(f"minus {each}" for each in first)), rows)


def _gates(asked: Sequence[Asked]) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Yield what thresholds take questions for: published, the corpus's own, and learnt on others.

    These are of the best balanced accuracy over all collections but the one that they gate.
    """
    known = {"ambignq": AMBIGNQ, "asqa": ASQA}
    others = {
        name: _learnt([each for each in asked if each.collection != name])
        for name in dict.fromkeys(each.collection for each in asked)
    }
    for name in (*known, "calibrated", "held out"):
        said = []
        for each in asked:
            own = known.get(name, others[each.collection])
            var, sep = each.first.dispersion, each.first.separability
            said.append(each.first.state if name == "calibrated" else state(var, sep, own))
        shares = {
            f"{kind}_{verdict}": fmean(
                one == verdict for one, each in zip(said, asked, strict=True) if each.several == own
            )
            for kind, own in (("several", True), ("control", False))
            for verdict in ("clear", "uncertain", "ambiguous")
        }
        right = (1 - shares["several_clear"] + shares["control_clear"]) / 2
        yield name, {**shares, "balanced_accuracy": right}


def _learnt(asked: Sequence[Asked]) -> Thresholds:
    """Return the thresholds that best part questions with several readings from controls."""
    if len({each.several for each in asked}) < 2:
        return AMBIGNQ
    measures = np.array([(each.first.dispersion, each.first.separability) for each in asked])
    several = np.array([each.several for each in asked])
    grid = np.vstack([np.quantile(measures, np.linspace(0, 1, 21), axis=0), [(np.inf, np.inf)]])

    def right(pair: tuple[float, float]) -> float:
        open_ = np.any(measures >= np.array(pair), axis=1)
        return float(open_[several].mean() - open_[~several].mean())

    var, sep = max(product(grid[:, 0].tolist(), grid[:, 1].tolist()), key=right)
    return Thresholds(dispersion=var, separability=sep)
