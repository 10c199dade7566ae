"""What changes in a clone while somebody looks at it."""
