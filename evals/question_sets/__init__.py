"""Builders of question sets whose answers code has computed, from documents found or invented."""
