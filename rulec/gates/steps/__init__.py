"""What gates make of the rules at the steps of plans."""
