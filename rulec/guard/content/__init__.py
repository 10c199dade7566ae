"""Checks of what is in files: parts, new lines, functions, settings, and what one change must bring along."""
