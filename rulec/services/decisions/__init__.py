"""Proposals before a person: the queue, cards, decisions and what they write."""
