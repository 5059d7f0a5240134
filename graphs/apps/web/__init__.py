"""The page: questions, answers with their proof, and reading, in a browser on this machine."""
