"""The applications on top of the graph: command line, chat, report, demo."""

__all__: tuple[str, ...] = ()
