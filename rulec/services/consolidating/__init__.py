"""Rules that say one thing twice: which they are, what one rule in place of both would be, and writing it."""
