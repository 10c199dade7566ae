"""What a person does with rules: add, edit, except, promote, archive, suppress, dispute, review; and looking at them."""
