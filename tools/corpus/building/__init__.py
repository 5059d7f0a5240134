"""What a build does: reads in parts, keeps what holds, writes tables, texts and vectors."""
