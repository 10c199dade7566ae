"""Words and signs that the check templates look for and the fits know them by, written down once."""
