"""A candidate -> a proposal with a proved check -> its card -> a person's decision -> one commit."""
