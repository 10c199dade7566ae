"""Which rules a gate judges by: those of HEAD, and the person's own beside them."""
