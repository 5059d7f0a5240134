"""Metadata fields: read off the texts, typed, catalogued, and their table on disk."""
