"""A console that passes on no control character but its own, whatever is printed."""

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from graphs.apps.terminal import printable


class SafeConsole(Console):
    """Prints texts, tables and progress bars; their styles are added behind this."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield the segments of what is printed, each text printable."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text))
