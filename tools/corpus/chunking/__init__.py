"""Texts cut into chunks: lines, headings, paragraphs, sentences, segments, tokens."""
