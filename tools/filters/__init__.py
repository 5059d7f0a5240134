"""The filters: each takes a set of candidate chunks and typed arguments, and keeps a subset."""
