"""Rulebooks as they stand on disk: the work tree's, other teams', the person's own."""
