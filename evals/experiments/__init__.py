"""Experiments: several systems over the same questions, in runs that can be killed and go on."""
