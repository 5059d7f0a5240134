"""Reports of runs: tables in Markdown and LaTeX, charts, and one page that needs no network."""

__all__: tuple[str, ...] = ()
