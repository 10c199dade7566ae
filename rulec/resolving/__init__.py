"""Candidates against the rulebook: NOOP, UPDATE, SUPERSEDE, SPLIT or NEW, each with its reason."""
