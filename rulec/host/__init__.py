"""Effects: git, files, processes, templates, local state, the clock."""
