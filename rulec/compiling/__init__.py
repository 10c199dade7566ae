"""Rulebook to plan to artifacts to the files in a repository."""
