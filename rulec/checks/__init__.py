"""Kinds of check: one room each, whose ``checker`` the registry finds; what they share stands here."""
