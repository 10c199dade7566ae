"""Verdicts in words and in the formats that other tools read."""
