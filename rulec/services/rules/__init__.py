"""What a person does with rules: list, add, edit, except, set, archive, suppress, dispute and review them."""
