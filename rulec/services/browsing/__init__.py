"""Rules as somebody looks through them: all as cards, one in full, what it says of an action, and its past."""
