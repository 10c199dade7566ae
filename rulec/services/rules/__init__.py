"""What a person does with rules: list, add, edit, except, set, retire and review them."""
