"""The words of the chunks: their tokenizer, counts, lexical index, lexicon and stems."""
