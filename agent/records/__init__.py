"""Records: what documents state in common, as typed rows that code can count and compute with."""
