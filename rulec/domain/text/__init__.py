"""Texts on one line, and texts without secrets."""
