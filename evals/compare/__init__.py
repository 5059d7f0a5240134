"""Headcount's methods and others on the same candidates, side by side in one run."""
