"""Asking a model: which one, with whose consent, one conversation, its budget, caches and the form of answers."""
