"""Engines: what evaluates a filter's predicate over the chunks of a corpus."""
