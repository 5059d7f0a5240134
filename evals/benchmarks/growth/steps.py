"""What is measured at each size, each step in a process of its own."""

import contextlib
import io
import json
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any

from evals.benchmarks.process_memory import peak_mb
from tools.filters.registry import LocalEngine

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

__all__ = ("Taken", "ask", "cpu_seconds", "filters", "reading", "spent", "start", "tell", "typical")


@dataclass(frozen=True, slots=True)
class Taken:
    """What one thing took."""

    clock: float
    """Seconds on the clock."""
    cpu: float
    """Seconds of processor time, all threads and finished children together."""
    peak_mb: float | None = None
    """The most memory that the process held; None where it did other things before."""
    note: str = ""


def spent(do: Callable[[], object]) -> Taken:
    """Do it once and return what that took."""
    clock, cpu = time.perf_counter(), cpu_seconds()
    do()
    return Taken(time.perf_counter() - clock, cpu_seconds() - cpu)


def typical(do: Callable[[], object], rounds: int) -> Taken:
    """Return the medians of so many rounds, after one that is not counted."""
    do()
    taken = [spent(do) for _ in range(rounds)]
    return Taken(median(each.clock for each in taken), median(each.cpu for each in taken))


def cpu_seconds() -> float:
    """Return the processor time of this process and of its children that have ended."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(each) for each in whose]
    return sum(each.ru_utime + each.ru_stime for each in used)


_SHARE = 0.01
"""The words looked for stand in about so many of the chunks."""
_BEST = 300
_TENTH = 10


def tell(step: str, *arguments: str) -> None:
    """Run a step and print what it yields, a JSON object a line."""
    for what, taken in _STEPS[step](*arguments):
        sys.stdout.write(json.dumps({"what": what, **asdict(taken)}) + "\n")
        sys.stdout.flush()


def start(corpus: str) -> Iterator[tuple[str, Taken]]:
    """Import what asks and open the corpus."""

    def opened() -> object:
        from graphs import build_graph, open_corpus

        return build_graph(), open_corpus(corpus)

    yield "start", replace(spent(opened), peak_mb=peak_mb())


def ask(corpus: str, question: str) -> Iterator[tuple[str, Taken]]:
    """Ask the product a question, offline; raise RuntimeError where it is not answered."""
    from graphs.apps.cli import main

    said = io.StringIO()
    sys.argv = ["headcount", "ask", corpus, question, "--json", "--on-ambiguity", "assume"]

    def asked() -> None:
        with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
            main()

    taken = spent(asked)
    answer = json.loads(said.getvalue())
    if answer["status"] != "answered":
        raise RuntimeError(f"{question!r} ended {answer['status']!r}")
    note = f"{question} {answer['value']}; {answer['coverage']['judged']:,} chunks read"
    yield "a whole question, offline", replace(taken, peak_mb=peak_mb(), note=note)


def filters(corpus: str, rounds: str) -> Iterator[tuple[str, Taken]]:
    """Time each filter; medians of rounds."""
    from tools.corpus.corpus import open_corpus

    for what, do in _searches(open_corpus(corpus)).items():
        yield what, typical(do, int(rounds))


def reading(corpus: str, rounds: str) -> Iterator[tuple[str, Taken]]:
    """Time the ranking of the unread, and batching."""
    from evals.benchmarks.memory_growth import CANDIDATES, batch
    from tools.corpus.corpus import open_corpus

    opened = open_corpus(corpus)
    yield from _feedback(opened, int(rounds))
    yield (
        f"{CANDIDATES:,} candidates batched, or all",
        typical(lambda: batch(opened, CANDIDATES), 1),
    )


def _searches(corpus: "Corpus") -> Mapping[str, Callable[[], object]]:
    import numpy as np
    from pyroaring import BitMap

    from evals.benchmarks.filter_speed import misspelt
    from evals.benchmarks.real_text import drawn_words
    from tools.filters.bm25 import Bm25Arguments
    from tools.filters.exact import ExactArguments
    from tools.filters.fuzzy import FuzzyArguments
    from tools.filters.keywords import KeywordsArguments
    from tools.filters.regex import RegexArguments
    from tools.filters.searchable import bitmap
    from tools.filters.semantic import SemanticArguments

    one, other, third = drawn_words(corpus.lexical, 3, share=_SHARE)
    everything, engine = BitMap(range(len(corpus))), LocalEngine(corpus)
    drawn = np.random.default_rng(0).choice(len(corpus), len(corpus) // _TENTH, replace=False)
    tenth, half = bitmap(drawn), BitMap(range(0, len(corpus), 2))
    literal = ExactArguments(phrase=one, case_sensitive=True)
    pattern = RegexArguments(pattern=rf"(?:{one}|{other})\s+[a-z]+", case_sensitive=True)
    calls: Mapping[str, Any] = {
        "`exact`, case counts": literal,
        "`exact`, any case": ExactArguments(phrase=one),
        "`regex`": pattern,
        "`keywords`, three": KeywordsArguments(words=(one, other, third)),
        "`fuzzy`": FuzzyArguments(term=misspelt(one)),
        f"`bm25`, the best {_BEST}": Bm25Arguments(query=f"{one} {other} {third}", best=_BEST),
        f"`semantic`, the {_BEST} nearest": SemanticArguments(query=f"{one} {other}", best=_BEST),
    }
    kept: dict[str, Callable[[], object]] = {
        what: partial(engine.keep, call, everything) for what, call in calls.items()
    }
    kept["`exact` of a random tenth"] = lambda: engine.keep(literal, tenth)
    kept["`regex` of a random tenth"] = lambda: engine.keep(pattern, tenth)
    kept["union, intersection, difference"] = lambda: [half | tenth, half & tenth, half - tenth]
    return kept


def _feedback(corpus: "Corpus", rounds: int) -> Iterator[tuple[str, Taken]]:
    """Rank all that is unread after sixty verdicts, for the first time and again."""
    import numpy as np
    from pyroaring import BitMap

    from evals.benchmarks.real_text import drawn_words
    from tools.feedback.ranker import Ranker
    from tools.filters.searchable import bitmap

    (word,) = drawn_words(corpus.lexical, 1, share=_SHARE / 10)
    holding = corpus.lexical.postings(word)[:30]
    others = bitmap(np.setdiff1d(np.arange(60), holding)[:30])
    pool = BitMap(range(len(corpus))) - bitmap(holding) - others
    quotes = [corpus.chunk_text(int(chunk)) for chunk in holding]
    ranker = Ranker(corpus, f"mentions {word}")

    def ranked() -> object:
        return ranker.rank(quotes, others, pool, 100)

    yield "a question's first round of feedback", spent(ranked)
    yield "a later round of feedback", typical(ranked, rounds)


_STEPS: Mapping[str, Callable[..., Iterator[tuple[str, Taken]]]] = {
    step.__name__: step for step in (start, filters, reading, ask)
}
