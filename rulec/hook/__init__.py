"""One call of an agent's hook: its question read, rules looked up, the answer given."""
