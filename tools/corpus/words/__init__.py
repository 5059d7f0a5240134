"""The words of the chunks: counts, lexical index, lexicon and stems."""
