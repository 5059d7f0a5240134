from html.parser import HTMLParser
from pathlib import Path

import pytest

from agent.answer import Answer
from agent.evidence import Entity, Evidence
from agent.history import Step
from agent.reasoner import ToolCall
from graphs.apps.page import page
from tests.graphs.apps.answers import answer
from tools.corpus.build import BuildSettings, build
from tools.corpus.corpus import Corpus, open_corpus

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
    *("figcaption", "div", "i", "b", "br", "section"),
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
    folder = tmp_path_factory.mktemp("hostile")
    docs = folder / "docs"
    docs.mkdir()
    text = "\n\n".join(f"Before {each} after." for each in HOSTILE)
    (docs / "bad <script>$body.txt").write_text(text, encoding="utf-8")
    build([docs], folder / "h.corpus", settings=BuildSettings())
    return open_corpus(folder / "h.corpus")


def _hostile_answer(corpus: Corpus, bad: str) -> Answer:
    name = corpus.documents[0]
    text = corpus.document_text(0)
    start = text.index(bad)
    quote = Evidence(
        document=name, start=start, end=start + len(bad), quote=bad, condition=f"says {bad}"
    )
    found = Entity(name=bad, aliases=(bad,), documents=(name,), value=bad, evidence=(quote,))
    base = answer()
    assert base.interpretation is not None
    shots = tuple(
        shot.model_copy(update={"arguments": {"words": [bad]}, "why": bad, "tool": bad})
        for shot in base.snapshots
    )
    return base.model_copy(
        update={
            "question": bad,
            "interpretation": base.interpretation.model_copy(
                update={"text": bad, "assumptions": (bad,)}
            ),
            "unit": bad,
            "entities": (found,),
            "snapshots": shots,
            "warnings": (bad,),
            "run": bad,
        }
    )


@pytest.mark.parametrize("bad", HOSTILE)
def test_nothing_that_is_not_ours_becomes_markup(bad: str, hostile: Corpus):
    told = _hostile_answer(hostile, bad)
    step = Step(
        round=1, call=ToolCall(tool=bad, arguments={bad: bad}), before="a", after="b", why=bad
    )
    seen = _Page(page(told, hostile, (step,), (bad,)))
    assert set(seen.tags) <= TAGS
    assert not [name for name, _ in seen.attributes if name.startswith("on") or name == "src"]
    assert not [value for _, value in seen.attributes if bad in value]
    assert seen.open == []
    assert seen.text.count(bad) >= 8


def test_a_page_loads_nothing(hostile: Corpus):
    seen = _Page(page(answer(), hostile))
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in seen.attributes
    assert not {name for name, _ in seen.attributes} & {"src", "href", "action"}


def test_a_quote_stands_highlighted_between_the_words_around_it(hostile: Corpus):
    text = page(_hostile_answer(hostile, "javascript:alert(1)"), hostile)
    assert "Before <mark>javascript:alert(1)</mark> after." in text


@pytest.mark.parametrize(
    ("document", "said"),
    [(None, "the document has changed since"), ("gone", "the document has left the corpus since")],
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


def test_everything_is_on_the_page(hostile: Corpus):
    seen = _Page(page(answer(), hostile, facts=("model m",)))
    text = " ".join(seen.text.split())
    for part in (
        "1 (between 1 and 3)",
        "keywords(words=['dog'])",
        "rolled back: lost a match",
        "29 judged, no match",
        "60 ruled out",
        "5 not read",
        "Which animals? (dogs) — reply: 1",
        "$0.0123",
        "model m",
    ):
        assert part in text


def test_readings_stand_side_by_side(hostile: Corpus):
    told = answer(readings=(answer(value=1, bounds=None), answer(value=3, bounds=None)))
    text = page(told, hostile)
    assert text.count('<p class="value">') == text.count("<section>") == 2


def test_the_template_travels_with_the_package():
    import graphs.apps

    assert (Path(graphs.apps.__file__).parent / "report.html").is_file()
