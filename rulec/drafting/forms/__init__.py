"""Sentence forms: the ways in which a template can be said, with its parameters word for word."""
