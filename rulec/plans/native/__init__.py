"""Plans that agents keep natively: calls of their own tools, and records of them."""
