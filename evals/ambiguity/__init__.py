"""Questions whose ambiguity is known: three formats, what they are asked over, how it is scored."""
