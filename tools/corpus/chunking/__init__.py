"""Texts cut into chunks: lines, headings, paragraphs, sentences, segments, tokens."""

__all__: tuple[str, ...] = ()
