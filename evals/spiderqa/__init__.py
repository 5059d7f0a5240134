"""Questions over databases as questions over text, after SpiderQA (AGGBench paper, A.5.1)."""

__all__ = ()
