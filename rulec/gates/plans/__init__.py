"""What gates make of the rules at the steps of plans: at a commit, and anew in CI."""
