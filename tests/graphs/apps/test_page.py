from html.parser import HTMLParser

import pytest
from pyroaring import BitMap

from agent.answer import Completeness
from agent.coverage import Cause, Standing
from agent.evidence import Entity, Evidence
from agent.history import Step
from agent.reasoner import ToolCall
from graphs.apps.page import Inlined, page
from graphs.apps.terminal import printable
from tests.built import built
from tests.graphs.apps.answers import answer
from tests.graphs.apps.answers import hostile as hostile_answer
from tools.corpus.corpus import Corpus
from tools.runs.coverage_ledger import Account, Part

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'><svg onload=alert(1)>",
    "$question $body ${title} $$",
    "</blockquote></details></table>",
    "<!-- ]]> &lt;b&gt; &amp;",
    "Ünïcode ☃ 数 \u202eevil",
    "javascript:alert(1)",
)
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "ul", "ol", "li", "table"),
    *("tr", "th", "td", "code", "details", "summary", "span", "figure", "blockquote", "mark"),
    *("figcaption", "div", "i", "b", "br", "section", "main", "svg", "rect", "script"),
}


class _Page(HTMLParser):
    """What a browser would make of a page: its tags, attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in {"meta", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    text = "\n\n".join(f"Before {each} after." for each in HOSTILE)
    return built({"bad <script>$body.txt": text}, tmp_path_factory.mktemp("hostile"))


@pytest.mark.parametrize("bad", HOSTILE)
def test_nothing_that_is_not_ours_becomes_markup(bad: str, hostile: Corpus):
    told = hostile_answer(bad, hostile.documents[0], hostile.document_text(0).index(bad))
    step = Step(
        round=1, call=ToolCall(tool=bad, arguments={bad: bad}), before="a", after="b", why=bad
    )
    states = (Standing(state="unparsable", reason=bad), Standing(state="pruned", step=1))
    parts = [Part(bad, each, BitMap([at])) for at, each in enumerate(states)]
    accounts = [Account(parts=parts, causes={1: Cause(step=1, tool=bad, arguments={bad: bad})})]
    seen = _Page(page(told, hostile, (step,), (bad,), accounts))
    assert set(seen.tags) <= TAGS
    assert seen.tags.count("script") == 1
    assert not [name for name, _ in seen.attributes if name.startswith("on") or name == "src"]
    assert not [value for _, value in seen.attributes if bad in value]
    assert seen.open == []
    assert seen.text.count(printable(bad)) >= 12


def test_a_page_loads_nothing(hostile: Corpus):
    seen = _Page(page(answer(), hostile))
    allowed = " ".join(
        f"{kind}-src '{Inlined.of(name).digest}';"
        for kind, name in (("style", "page.css"), ("script", "answer.js"))
    )
    assert ("content", f"default-src 'none'; {allowed.rstrip(';')}") in seen.attributes
    assert not {name for name, _ in seen.attributes} & {"src", "href", "action"}


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (None, "the document has changed since"),
        ("gone", "the document was removed from the corpus since"),
    ],
    ids=["changed", "gone"],
)
def test_a_quote_that_moved_stands_alone(document: str | None, said: str, hostile: Corpus):
    quote = Evidence(
        document=document or hostile.documents[0], start=0, end=4, quote="else", condition="c"
    )
    found = Entity(name="x", evidence=(quote,))
    text = page(answer(entities=(found,)), hostile)
    assert "<blockquote><mark>else</mark></blockquote>" in text
    assert said in text


def test_a_section_stays_small_and_says_what_it_leaves_out(hostile: Corpus) -> None:
    failed = [Standing(state="failed", reason=f"reason {n}") for n in range(15_000)]
    parts = [Part("c1", each, BitMap([n])) for n, each in enumerate(failed)]
    causes = {n: Cause(step=n, tool="keywords", arguments={}) for n in range(1, 201)}
    text = page(answer(entities=()), hostile, accounts=[Account(parts=parts, causes=causes)])
    assert len(text) < 66_000
    assert "14960 more rows" in text


def test_no_bar_is_shorter_than_nothing(hostile: Corpus):
    groups = {"2019": -2, "May 2021": 4, "(none)": 1}
    shown = _Page(page(answer(value=groups, bounds=None), hostile))
    widths = [value for name, value in shown.attributes if name == "width"]
    assert widths[:3] == ["0.00%", "100.00%", "25.00%"]


def test_a_page_speaks_of_passages_and_says_first_what_is_unfinished(hostile: Corpus) -> None:
    proof = Completeness(method="every candidate chunk was judged")
    told = answer(status="partial", value=0, bounds=(0, 12), completeness=proof)
    text = page(told, hostile)
    assert "Unfinished, found so far: 0 (between 0 and 12)" in _Page(text).text
    assert "Unfinished: nothing is found yet" in page(answer(status="partial", value=None), hostile)
    assert "every candidate passage was judged" in text
    assert "chunk" not in text.partition("<script>")[0].partition("<main>")[2]
