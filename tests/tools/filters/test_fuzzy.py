import pytest
from pyroaring import BitMap

from agent.reasoner import ToolCall
from tests.tools.filters.small_corpus import SmallCorpus
from tools.filters import apply

TEXTS = (
    "Kubernetes",
    "kubernets is down",
    "Kubernetse",
    "the non-compete clause",
    "a noncompete",
    "a non\ncompete covenent",
    "force majeure",
    "majeure force",
    "forse majuere event",
    "cat bat rat",
)
CORPUS = SmallCorpus({"d": TEXTS})


@pytest.mark.parametrize(
    ("term", "distance", "kept"),
    [
        ("Kubernetes", None, [0, 1, 2]),
        ("Kubernetes", 0, [0]),
        ("Kubernetes", 1, [0, 1, 2]),
        ("kubenets", 1, [1]),
        ("noncompete", None, [3, 4, 5]),
        ("non-compete", None, [3, 4, 5]),
        ("noncompete", 0, [4]),
        ("covenant", None, [5]),
        ("force majeure", None, [6, 8]),
        ("force majeure", 0, [6]),
        ("cat", None, [9]),
        ("rut", 1, [9]),
        ("zzzzzz", None, []),
    ],
)
def test_a_term_is_found_in_its_spellings(term, distance, kept):
    arguments = {"term": term, "distance": distance}
    everything = BitMap(range(len(TEXTS)))
    assert list(apply(CORPUS, everything, ToolCall(tool="fuzzy", arguments=arguments))) == kept


def test_the_distance_stays_below_half_of_a_word():
    arguments = {"term": "on", "distance": 3}
    everything = BitMap(range(len(TEXTS)))
    assert not apply(CORPUS, everything, ToolCall(tool="fuzzy", arguments=arguments))
