"""Batching: which candidates go to the model in one call, and what that costs."""
