"""Mentions become entities: names that are surely one, names to ask about, merged clusters."""
