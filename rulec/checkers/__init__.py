"""Kinds of check: one file each."""
