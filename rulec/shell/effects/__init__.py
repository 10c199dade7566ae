"""What commands do to files: which paths they write or delete, and what they put there."""
