"""What judging costs besides the model: the graph's whole judging path against the raw client."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from agent.coverage import Coverage
from agent.reasoner import Prompt, PromptValues
from agent.reasoners import ChatReasoner, ResponseCache, chat_reasoner
from agent.replies import JudgeReply
from agent.state import Question
from evals.benchmarks.chat_server import KeyedReasoner, serving
from evals.benchmarks.process_memory import peak_mb
from evals.benchmarks.rows import Figure, Row, Unequal, medians, medians_told
from evals.benchmarks.scripted_run import POLICY, QUESTION, scripted
from graphs.context import Context
from graphs.headcount import build_graph
from graphs.runs.beside import checkpointer
from tools.corpus.corpus import Corpus

__all__ = ("JudgingRun", "calls", "judging")

_CHUNKS = 1600
_EVERY = 3
"""One in so many chunks with the word is evidence."""
_MODEL = "instant"
_THREADS = 8
"""Requests in flight on either side: the product's default."""


class JudgingRun:
    """Runs a scripted question with a chat model that knows the answers, cache and all."""

    def __init__(
        self, corpus: Corpus, url: str, place: Path, kept: int, *, keep_prompts: bool = True
    ) -> None:
        """Read so many chunks; `place`, an empty folder, holds checkpoints and a cache a run."""
        self.calls = 0
        """Judging calls of the last run."""
        self.chunks = 0
        """Chunks that the last run judged."""
        self.batching = 0.0
        """Seconds in which the last run put its chunks into batches."""
        self.peak_before = 0.0
        """The process's peak memory in MB when judging began."""
        self.prompts: list[Prompt] = []
        """The last run's judging prompts, as sent, where they are kept."""
        self._keep = keep_prompts
        self._corpus, self._url, self._place, self._kept = corpus, url, place, kept
        self._caches = (place / f"responses-{number}.sqlite" for number in count())
        self._threads = count()

    def __call__(self) -> float:
        """Run it once and return the seconds a judging call.

        Raises:
            Unequal: a chunk has no verdict, or a reply was not the server's.
        """
        self.prompts.clear()
        with ResponseCache(next(self._caches)) as cache:
            chat = chat_reasoner(_MODEL, base_url=self._url, max_retries=0, cache=cache)
            oracle = scripted(self._kept, every=_EVERY)

            def see(prompt: Prompt) -> None:
                oracle.prompts.clear()
                if self._keep:
                    self.prompts.append(prompt)

            keyed = KeyedReasoner(chat, oracle, see=see)
            seconds = sum(self._judging_steps(keyed))
            self.calls = keyed.judged
        if not self.calls or chat.spent().cached_calls:
            raise Unequal(f"{self.calls} calls, {chat.spent().cached_calls} of them cached")
        return seconds / self.calls

    def _judging_steps(self, keyed: KeyedReasoner) -> Iterator[float]:
        """Yield the seconds of each judging step, its checkpoint included, the oracle's not."""
        context = Context(corpus=self._corpus, reasoner=keyed, policy=POLICY)
        saver = checkpointer(self._place)
        with closing(saver.conn), context.store:
            graph = build_graph(saver)
            config: Any = {"configurable": {"thread_id": f"judging-{next(self._threads)}"}}
            asked = Question(question=QUESTION)
            before = time.perf_counter(), keyed.aside
            for step in graph.stream(
                asked, config, context=context, stream_mode="updates", durability="sync"
            ):
                now = time.perf_counter(), keyed.aside
                if "batch" in step:
                    self.batching = now[0] - before[0]
                    self.peak_before = peak_mb()
                if "judge" in step:
                    coverage = step["judge"]["coverage"]
                    self.chunks = coverage.judged
                    _check(coverage)
                    yield (now[0] - before[0]) - (now[1] - before[1])
                before = now


def judging(corpus: Corpus, place: Path, rounds: int) -> list[Row]:
    """Judge chunks through the graph, then send the same prompts with the bare client.

    Both have eight requests in flight and read every reply into its type. A run of ours ends
    where the answer is in the ledger, on disk, with its quotes located.
    """
    with serving() as url:
        run = JudgingRun(corpus, url, place, min(_CHUNKS, len(corpus)))
        run()
        peer = _client(url, run.prompts[:])
        taken = medians_told({"ours": run, "peer": peer}, rounds)
    mine, theirs = (taken[each] * 1000 for each in ("ours", "peer"))
    chunks = run.chunks / run.calls
    return [
        Row(
            what="a judging call at 0 ms latency",
            unit="ms",
            ours=Figure("graph node `judge`", mine),
            peer=Figure("openai client", theirs),
            note=f"ours adds {mine - theirs:.1f} ms for {chunks:.0f} chunks a call: passages, "
            "prompt, cache on disk, validation, quotes, ledger, checkpoint; batching them took "
            f"{run.batching * 1000 / run.calls:.1f} ms a call before",
        )
    ]


def _check(coverage: Coverage) -> None:
    if coverage.unparsable or coverage.failed:
        raise Unequal(f"{coverage.unparsable + coverage.failed} chunks have no verdict")


def _client(url: str, prompts: Sequence[Prompt]) -> Callable[[], float]:
    """Return what sends the prompts and reads the replies, and returns the seconds a call."""
    from openai import OpenAI

    client = OpenAI(base_url=url, api_key="none", max_retries=0)

    def ask(prompt: Prompt) -> JudgeReply:
        done = client.chat.completions.create(
            model=_MODEL, messages=[{"role": "user", "content": prompt.text}]
        )
        return JudgeReply.model_validate_json(done.choices[0].message.content or "")

    def ask_all() -> float:
        began = time.perf_counter()
        with ThreadPoolExecutor(_THREADS) as threads:
            list(threads.map(ask, prompts))
        return (time.perf_counter() - began) / len(prompts)

    return ask_all


_CALLS = 30
"""Calls in one round."""
_MODEL_calls = "instant"
_PROMPT = Prompt(
    name="firm", digest="firm", text="Which firm, and how many?", values=PromptValues()
)


class _Firm(BaseModel):
    """A firm."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    count: int


def calls(rounds: int) -> list[Row]:
    """Ask a server that answers at once, one call after another, both for the same reply."""
    with serving() as url:
        reasoner, peer = (
            chat_reasoner(_MODEL_calls, base_url=url, max_retries=0),
            _client_calls(url),
        )
        if reasoner.ask(_PROMPT, _Firm) != peer():
            raise Unequal("the reasoner and the client read different replies")
        taken = medians(
            {
                "ours": lambda: [reasoner.ask(_PROMPT, _Firm) for _ in range(_CALLS)],
                "peer": lambda: [peer() for _ in range(_CALLS)],
            },
            rounds,
        )
        _check_calls(reasoner, 1 + (rounds + 1) * _CALLS)
    mine, theirs = (taken[each] * 1000 / _CALLS for each in ("ours", "peer"))
    return [
        Row(
            what="a model call at 0 ms latency",
            unit="ms",
            ours=Figure("ChatReasoner.ask", mine),
            peer=Figure("openai client", theirs),
            note=f"ours adds {mine - theirs:.1f} ms: schema, validation, ledger, budget, retries",
        )
    ]


def _check_calls(reasoner: ChatReasoner, asked: int) -> None:
    sent = reasoner.spent().model_calls
    if sent != asked:
        raise Unequal(f"the reasoner sent {sent} requests for {asked} questions")


def _client_calls(url: str) -> Callable[[], _Firm]:
    from openai import OpenAI

    client = OpenAI(base_url=url, api_key="none", max_retries=0)

    def ask() -> _Firm:
        done = client.chat.completions.create(
            model=_MODEL_calls, messages=[{"role": "user", "content": _PROMPT.text}]
        )
        return _Firm(**json.loads(done.choices[0].message.content or ""))

    return ask
