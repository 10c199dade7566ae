"""Variants of examples that keep their meaning, and innocent ones that only look alike: one module a kind."""
