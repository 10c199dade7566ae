"""Runs of the suites that the settings name: programs, reports, trees of other commits, proofs by test."""
