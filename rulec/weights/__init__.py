"""A person's own weights of rules: what is worth telling their agents, learned from what rules found."""
