"""The answer: from findings to entities, their number, and the bounds of both.

`bounds` is the place to begin for what widens a bound.
"""
