"""A provider that goes wrong now and then, always at the same requests, and counts what it sold."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.fake_provider.replies import FAULTS, Reply, completion
from tests.integration.reader import Body, Reader, kind_of, read

_MALFORMED = ('{"passages": [', "I see nothing of the kind.", '{"passages": "none"}', "{}")


@dataclass
class Hostile:
    """Spoils a share of a good reader's replies.

    Which ones is decided by the request's text and by how often it came, not by the order in
    which concurrent requests arrive.
    """

    malformed: float = 0.0
    failing: float = 0.0
    kinds: tuple[str, ...] = ("interpret", "classify", "plan", "observe", "judge")
    """The prompts whose replies it spoils."""
    seed: str = ""
    reader: Reader = read
    failures: Sequence[str] = ("500",)
    """The faults of the fake that a failing reply has, each as often."""
    most: int = 10_000
    """Replies that it spoils, at most."""
    sold: Counter[str] = field(default_factory=Counter)
    """Completions by kind of prompt, spoilt ones included: what a provider puts on the bill."""
    spoilt: Counter[str] = field(default_factory=Counter)
    _came: Counter[str] = field(default_factory=Counter)

    def __call__(self, text: str, body: Body) -> Reply:
        kind = kind_of(body)
        spoils = kind in self.kinds and self.spoilt.total() < self.most
        draw = self._draw(body) if spoils else 1.0
        if draw < self.failing:
            self.spoilt["failing"] += 1
            return FAULTS[self.failures[int(draw * 1e6) % len(self.failures)]]
        self.sold[kind] += 1
        if draw < self.failing + self.malformed:
            self.spoilt["malformed"] += 1
            return completion(_MALFORMED[int(draw * 1e6) % len(_MALFORMED)])
        return self.reader(text, body)

    def _draw(self, body: Body) -> float:
        """Return a number in [0, 1) that another seed, text or repetition changes."""
        told = json.dumps(body["messages"], sort_keys=True)
        self._came[told] += 1
        digest = hashlib.sha256(f"{self.seed}\0{self._came[told]}\0{told}".encode()).digest()
        return int.from_bytes(digest[:6]) / 2**48
