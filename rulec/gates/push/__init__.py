"""What is about to be pushed, and which of its commits no gate of this clone has seen."""
