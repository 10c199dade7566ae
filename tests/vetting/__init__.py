"""Raw checks."""
