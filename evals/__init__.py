"""How well: question files, scopes, the gold judge, baselines, metrics, tables."""
