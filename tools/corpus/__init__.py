"""The corpus: documents in, chunks, words and vectors on disk, opened for reading.

`build.build` makes one and `corpus.open_corpus` opens it. A room imports only rooms further down:

building    a build's work: parts read, what holds kept, tables, texts and vectors written
documents   files read into documents          embeddings  vectors and ranked retrieval
readers     formats, from bytes to text        words       lexical index, lexicon
chunking    texts cut where they pause         fields      metadata, typed and catalogued
generations where files lie; beside it how they are written, mapped and replaced
processes   their threads and memory, and their locks
"""
