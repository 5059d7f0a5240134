"""How time, memory and room grow from ten thousand chunks to a million."""

__all__ = ()
