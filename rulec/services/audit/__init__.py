"""Which instructions agents break, and how much of that a check would have stopped."""
