"""The chunks' embeddings: what makes them, their vectors, clusters and ranked retrieval."""
