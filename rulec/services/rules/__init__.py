"""What a person does with rules: list, add, edit, except, promote, archive, suppress, dispute and review them."""
