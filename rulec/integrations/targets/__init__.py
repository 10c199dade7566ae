"""One file for each tool that rulec writes its part into."""
