"""Records from documents: typed values, tables, statistics and read-only queries."""
