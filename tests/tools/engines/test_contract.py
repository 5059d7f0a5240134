"""What holds of every engine: it keeps what a naive reference in plain Python keeps."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from tests.tools.engines.naive import Naive
from tests.tools.engines.shards import sharded
from tests.tools.filters.conftest import DOCUMENTS, FIELDS
from tests.tools.filters.small_corpus import SmallCorpus
from tools.filters.arguments import Engine, FilterArguments
from tools.filters.bm25 import Bm25Arguments
from tools.filters.exact import ExactArguments
from tools.filters.fuzzy import FuzzyArguments
from tools.filters.keywords import KeywordsArguments
from tools.filters.local_engine import LocalEngine
from tools.filters.metadata import MetadataArguments, PredicateArguments
from tools.filters.regex import RegexArguments
from tools.filters.registry import FILTERS
from tools.filters.semantic import SemanticArguments

MORE = {
    "twins/a": ("Cooling failure again. § 5 of the IT policy was ignored, it seems.", "été\nété"),
    "twins/b": ("A lease, a tenant; a licence: fees. été", "x1 12 x 12 3.10", "it's_it IT"),
}
CORPUS = SmallCorpus({**DOCUMENTS, **MORE}, {**FIELDS, "twins/b": {"Status": "final", "Rent": "7"}})
NAIVE = Naive(CORPUS)
EVERYTHING = BitMap(range(CORPUS.chunk_count))


@pytest.fixture(scope="module", params=["local", "sharded"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Engine:
    if request.param == "local":
        return LocalEngine(CORPUS)
    return sharded(CORPUS, tmp_path_factory.mktemp("sharded"))


def asks(field: str, comparison: str, *values: str, of: str = "value") -> PredicateArguments:
    given = {"field": field, "comparison": comparison, "values": values, "of": of}
    return PredicateArguments.model_validate(given)


CASES: dict[str, FilterArguments] = {
    "literal": ExactArguments(phrase="cooling", case_sensitive=True),
    "literal, any case": ExactArguments(phrase="COOLING"),
    "literal, whole word": ExactArguments(phrase="it", whole_word=True),
    "literal, whole word, case": ExactArguments(phrase="IT", whole_word=True, case_sensitive=True),
    "literal of marks": ExactArguments(phrase="+ and ASP.N"),
    "literal over a line": ExactArguments(phrase="été\nÉTÉ"),
    "literal in no chunk": ExactArguments(phrase="zeppelin"),
    "regex": RegexArguments(pattern=r"\b\d+\b"),
    "regex at line ends": RegexArguments(pattern=r"^(?:été|compete)"),
    "regex with case": RegexArguments(pattern=r"\bIT\b", case_sensitive=True),
    "regex that matches nothing": RegexArguments(pattern=r"z{9}"),
    "regex that matches emptiness": RegexArguments(pattern=r"x*"),
    "any keyword": KeywordsArguments(words=("licenses", "non compete", "C++")),
    "all keywords": KeywordsArguments(words=("the", "a"), match="all", stem=False),
    "two keywords": KeywordsArguments(
        words=("cool", "fail", "policy"), match="at_least", at_least=2
    ),
    "keyword twice": KeywordsArguments(words=("Cooling", "cooling"), match="all"),
    "unknown keyword": KeywordsArguments(words=("zeppelin",)),
    "fuzzy word": FuzzyArguments(term="Kubernetes"),
    "fuzzy misspelt": FuzzyArguments(term="kubernetse"),
    "fuzzy phrase": FuzzyArguments(term="coolin failur"),
    "fuzzy in two": FuzzyArguments(term="coolingfailure"),
    "fuzzy in one": FuzzyArguments(term="land lord"),
    "fuzzy digits": FuzzyArguments(term="12"),
    "best by words": Bm25Arguments(query="cooling failure of the policy", best=2),
    "enough by words": Bm25Arguments(query="cooling outage", min_score=1.5),
    "first of equals by words": Bm25Arguments(query="cooling failure of the policy", best=1),
    "first of equals": SemanticArguments(query="cooling failure of the policy", best=1),
    "words of most chunks": Bm25Arguments(query="the the a", best=9),
    "no such words": Bm25Arguments(query="zeppelin", best=9),
    "nearest": SemanticArguments(query="the supplier terminates", best=3),
    "near enough": SemanticArguments(query="cooling outage", min_cosine=0.2),
    "all are near": SemanticArguments(query="cooling outage", min_cosine=-1),
    "nothing to embed": SemanticArguments(query="...", best=3),
    "field": MetadataArguments(predicates=(asks("status", "is", "final"),)),
    "no field": MetadataArguments(predicates=(asks("Status", "exists", "false"),)),
    "name": MetadataArguments(predicates=(asks("document name", "contains", "twins"),)),
    "any field": MetadataArguments(
        predicates=(
            asks("Signed", "between", "2015", "2016"),
            asks("Party", "at_least", "1", of="length"),
        ),
        match="any",
    ),
    "number": MetadataArguments(predicates=(asks("rent", "less_than", "8"),)),
}


@pytest.mark.parametrize("predicate", CASES.values(), ids=CASES)
def test_an_engine_keeps_what_the_reference_keeps(
    engine: Engine, predicate: FilterArguments
) -> None:
    for snapshot in (EVERYTHING, BitMap([0, 3, 9]), BitMap()):
        before = BitMap(snapshot)
        kept = engine.keep(predicate, snapshot)
        assert set(kept) == NAIVE.keep(predicate, snapshot)
        kept.add(1_000_000)
        assert snapshot == before


def test_every_filter_is_under_contract() -> None:
    asked = {type(predicate) for predicate in CASES.values()}
    assert asked == {each.arguments for each in FILTERS.values()}


ASKED = ("cooling", "it", "été", "lease", "licens", "12", "non compete", "thirty (30)", "tenant")
asked = st.sampled_from(ASKED)
WORDS = ("art", "Arts", "party", "non", "compete", "competes", "IT", "it", "é", "x1", "x", "12")
MARKS = (" ", "  ", "\n", "-", "-\n", ", ", ". ", " § ", "'", "_")
TEXTS = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(MARKS)), max_size=8).map(
    lambda pairs: "".join(word + mark for word, mark in pairs)
)
ENTRIES = (*WORDS, *ASKED, "non-compete", "art it", "12 x1 party")
PATTERNS = (r"\bit\b", r"non[\s-]+compet", r"^x", r"\d+$", r"[aé]", r"(?:art|12)\W", r"I T|IT")
FLAGS = st.booleans()
scans = st.one_of(
    st.builds(
        ExactArguments, phrase=asked | TEXTS.filter(len), case_sensitive=FLAGS, whole_word=FLAGS
    ),
    st.builds(RegexArguments, pattern=st.sampled_from(PATTERNS), case_sensitive=FLAGS),
    st.builds(
        KeywordsArguments,
        words=st.lists(st.sampled_from(ENTRIES), min_size=1, max_size=4).map(tuple),
        match=st.sampled_from(["any", "all"]),
        stem=FLAGS,
    ),
    st.builds(
        KeywordsArguments,
        words=st.permutations(("art", "non compete", "x1", "12")).map(tuple),
        match=st.just("at_least"),
        at_least=st.integers(1, 4),
        stem=FLAGS,
    ),
)


@pytest.mark.slow
@settings(max_examples=160, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=6), scans)
def test_a_scan_of_any_texts_keeps_what_the_reference_keeps(
    chunks: list[str], predicate: FilterArguments
) -> None:
    corpus, everything = small(tuple(chunks)), BitMap(range(len(chunks)))
    kept = LocalEngine(corpus).keep(predicate, everything)
    assert set(kept) == Naive(corpus).keep(predicate, everything)
    assert LocalEngine(corpus).keep(predicate, BitMap([0])) == kept & BitMap([0])


@cache
def small(chunks: tuple[str, ...]) -> SmallCorpus:
    return SmallCorpus({"d": chunks})
