"""What a statement means, and how two of them stand to each other: the same, more, less, the contrary."""
