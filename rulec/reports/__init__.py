"""Verdicts in words and in the forms that other tools read."""
