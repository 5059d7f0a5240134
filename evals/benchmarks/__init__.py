"""How quick: what Headcount promises, timed against named peers in the same run."""
