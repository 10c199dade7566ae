"""What command lines mean: which programs and patterns they match, what they do to files, branches and repositories."""
