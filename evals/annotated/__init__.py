"""Readers that answer from a question's annotation, without error or at a given skill."""
