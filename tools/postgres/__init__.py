"""A PostgreSQL server that a team's machines share: its address, its locks, tables of a corpus."""
