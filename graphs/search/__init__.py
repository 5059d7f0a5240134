"""The search: what is read next, what was found and judged, what may have been missed."""
