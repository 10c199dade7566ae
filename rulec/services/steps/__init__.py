"""Use cases on plans: what is open in them, and how their steps are proved."""
