"""What Headcount can do, without a model: the corpus, filters, batching, alignment, numbers."""
