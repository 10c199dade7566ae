"""What persons note about rules, and the revisions of rules that follow from it."""
