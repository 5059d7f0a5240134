"""The applications on top of the graph: command line, chat, report, demo."""
