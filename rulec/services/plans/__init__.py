"""Use cases on plans: what is open in them, the rules of their steps, runs of suites, and what is missing."""
