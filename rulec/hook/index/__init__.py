"""The index over compiled guard artifacts: rules by the words of an action that lead to them."""
