"""Disambiguation: readings of a question, grounded in what stands in the corpus, and grouped."""
