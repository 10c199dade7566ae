"""Ways to ask a model, one file each; none is imported before it is asked."""
