"""Baselines: small graphs over the same corpus, chunks, embedder, reasoner and budget."""
