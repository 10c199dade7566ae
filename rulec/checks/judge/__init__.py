"""Checks of meaning: a rule in words, and a model that is asked about pieces of a change."""
