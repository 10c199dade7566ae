"""Asking a model: settings and consent, one conversation, its budget, its caches, the form of answers."""
