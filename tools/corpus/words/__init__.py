"""The words of the chunks: their tokenizer, counts, lexical index, lexicon and stems."""

__all__: tuple[str, ...] = ()
