"""What Headcount knows: questions, snapshots, history, evidence, answers, the seam to a model."""
