"""Checks of code: one Semgrep rule an artifact, all run by one call of Semgrep's core."""
