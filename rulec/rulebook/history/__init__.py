"""What became of rules: differences between two states of the rulebook, and what the ledger counted."""
