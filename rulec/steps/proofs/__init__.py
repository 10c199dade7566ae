"""What proves that a rule was kept at a step, and what is still to prove: runs, a person's words, claimed files."""
