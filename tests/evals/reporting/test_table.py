"""No cell can break its table, in any of the three forms."""

from html.parser import HTMLParser

from evals.reporting.table import Table, to_html, to_latex, to_markdown

AWKWARD = "a|b & 50 % of <x_1> {y}\\z $2 #3 ~ ^ ≥ ×"
TABLE = Table(
    name="t", title=AWKWARD, head=("arm", "n"), rows=[[AWKWARD, "1"]], notes=(AWKWARD, "two")
)


class Texts(HTMLParser):
    """Collects the texts of the cells."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in {"th", "td"}:
            self.cells.append(data)


def test_html_keeps_every_cell_and_closes_every_tag() -> None:
    texts = Texts()
    texts.feed(to_html(TABLE))
    assert texts.open == []
    assert texts.cells == ["arm", "n", AWKWARD, "1"]


def test_latex_escapes_what_it_would_read() -> None:
    told = to_latex(TABLE)
    row = next(line for line in told.splitlines() if line.endswith(r"1 \\"))
    assert row.replace(r"\&", "").count("&") == 1
    for special in (r"\%", r"\#", r"\_", r"\{y\}", r"\textbackslash{}z", r"\$2", r"$\geq$"):
        assert special in row
    assert told.count(r"\begin{") == told.count(r"\end{") == 2
    assert r"\begin{tabular}{lr}" in told


def test_markdown_keeps_as_many_cells_as_the_head() -> None:
    lines = [line for line in to_markdown(TABLE).splitlines() if line.startswith("|")]
    assert len(lines) == 3
    assert {line.replace(r"\|", "").count("|") for line in lines} == {3}
    assert "two" in to_markdown(TABLE)
