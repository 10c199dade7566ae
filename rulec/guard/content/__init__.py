"""What stands in files: their parts and headers, new lines, functions, settings, and what one change must bring along."""
