"""Leases that allow animals in two wordings, of which a filter keeps one, and who reads them."""

import random
import re

from agent.reasoner import Reasoner
from agent.state import State
from evals.ablation import Ablation
from tests.fake_provider.replies import Reply
from tests.graphs.leaving_out import LEFT_OUT
from tests.graphs.replies import proof, verdicts
from tests.integration.asking import ended
from tests.integration.reader import QUOTE, Body, kind_of, passages_in, prompt_of, read, said
from tools.corpus.corpus import Corpus

LEASES = 24
PLAIN = frozenset({2, 7, 13, 20})
"""The leases that name a dog and a cat, as the question's words do."""
HIDDEN = frozenset({0, 4, 5, 9, 11, 16, 18, 22})
"""The leases that allow animals in words that no filter on the question's words keeps."""
SCATTERED_GOLD = [f"lease-{number:02}" for number in sorted(PLAIN | HIDDEN)]
LOOP = Ablation(scan=False, few_candidates=0, audit=15, batch_tokens=150, wave=4)
"""Feedback and audits as they are by default, with a small audit and a chunk a request."""
LOOP_SETTINGS = {
    LEFT_OUT: "scan",
    "HEADCOUNT_FEW_CANDIDATES": "0",
    "HEADCOUNT_AUDIT": "15",
    "HEADCOUNT_BATCH_TOKENS": "150",
    "HEADCOUNT_WAVE": "4",
    "HEADCOUNT_CONCURRENCY": "3",
}
"""`LOOP` for the command line."""
PLACES = ("stairs", "cellar", "roof", "garden", "hall", "attic", "gate", "yard", "porch", "drive")
_PROOF = re.compile(
    rf"{re.escape(QUOTE)}|Paragraph \d+ of lease \d+ deals with parrots, rabbits and the \w+\."
)


def scattered_leases() -> dict[str, str]:
    """Return the leases by the names of their files."""
    return {f"lease-{number:02}.txt": _lease(number) for number in range(LEASES)}


def _lease(number: int) -> str:
    subjects = ["heating, windows"] * 30
    if number in HIDDEN:
        subjects[12] = "parrots, rabbits"
    drawn = random.Random(number)
    filler = " ".join(
        f"Paragraph {part} of lease {number} deals with {subject} and the {drawn.choice(PLACES)}."
        for part, subject in enumerate(subjects)
    )
    banned = "No animal of any kind may be kept in the flat."
    clause = QUOTE if number in PLAIN else banned
    return f"Title: Lease {number}\n\nLease {number}\n\n{filler}\n\n{clause}\n"


def read_scattered(text: str, body: Body) -> Reply:
    """Reply as a careful reader who knows what an animal is."""
    if kind_of(body) != "judge":
        return read(text, body)
    shown = passages_in(prompt_of(body))
    return said(verdicts({at: [*map(proof, _PROOF.findall(shown[at]))] for at in shown}))


def audited(corpus: Corpus, reasoner: Reasoner) -> State:
    """Ask the question of the graph itself under `LOOP` and return the state at the end."""
    return ended(corpus, reasoner, LOOP)
