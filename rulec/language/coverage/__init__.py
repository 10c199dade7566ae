"""What a statement says in so many words, and what of that no check of it sees."""
