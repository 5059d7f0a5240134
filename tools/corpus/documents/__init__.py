"""Documents: files found below a root, named, and read by their format's reader."""

__all__: tuple[str, ...] = ()
