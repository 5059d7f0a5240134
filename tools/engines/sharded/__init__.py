"""The sharded engine: the filters' predicates on Daft over Parquet shards, near or far."""
