"""The audit: what may still be missing among what was never judged, with exact bounds.

The package holds pure functions of counts: it reads no corpus, asks no model and keeps no state.
"""
