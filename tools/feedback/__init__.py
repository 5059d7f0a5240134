"""Feedback: what was judged ranks what was not, and says when to stop reading."""
