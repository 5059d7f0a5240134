"""One page of HTML with everything in it: no script, no font, no picture from anywhere else."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from evals.reporting.table import Table, to_html

__all__ = ("Chart", "Section", "page")

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem;
  color: #1a1a1a; background: #fff }
h1 { font-size: 1.7rem } h2 { font-size: 1.3rem; margin-top: 2.5rem; border-top: 1px solid #ddd;
  padding-top: 1rem }
.wide { overflow-x: auto } nav a { margin-right: 1rem }
table { border-collapse: collapse; margin: 1rem 0 .3rem; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #e4e4e4 }
thead th { border-bottom: 2px solid #888 } tbody th, thead th:first-child { text-align: left;
  font-weight: normal }
.note { color: #555; font-size: .87rem; margin: .1rem 0 }
figure { display: inline-block; width: 34rem; max-width: 100%; margin: 1rem 1rem 1rem 0 }
figcaption { font-weight: 600 } pre { background: #f6f6f6; padding: .6rem; overflow-x: auto }
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A drawing with its title."""

    name: str
    """For a file or a link: lower case, digits and hyphens."""
    title: str
    svg: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the page."""

    name: str
    title: str
    text: Sequence[str] = ()
    """Paragraphs."""
    command: str = ""
    """What makes it, where that is a command of its own."""
    tables: Sequence[Table] = ()
    charts: Sequence[Chart] = ()


def page(title: str, lead: Sequence[str], sections: Sequence[Section]) -> str:
    """Return the page; the same input gives the same bytes."""
    links = "\n".join(
        f'<a href="#{html.escape(each.name)}">{html.escape(each.title)}</a>' for each in sections
    )
    body = "\n".join(_section(each) for each in sections)
    told = html.escape(title)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{told}</title>\n<style>{_STYLE}</style></head>\n<body>\n<h1>{told}</h1>\n"
        f"{_paragraphs(lead)}\n<nav>{links}</nav>\n{body}\n</body></html>\n"
    )


def _section(section: Section) -> str:
    command = f"<pre>{html.escape(section.command)}</pre>\n" if section.command else ""
    tables = "\n".join(f'<div class="wide">{to_html(each)}</div>' for each in section.tables)
    charts = "\n".join(
        f"<figure><figcaption>{html.escape(each.title)}</figcaption>\n{each.svg}</figure>"
        for each in section.charts
    )
    return (
        f'<section id="{html.escape(section.name)}"><h2>{html.escape(section.title)}</h2>\n'
        f"{_paragraphs(section.text)}\n{command}{tables}\n{charts}</section>"
    )


def _paragraphs(lines: Sequence[str]) -> str:
    return "\n".join(f"<p>{html.escape(line)}</p>" for line in lines)
