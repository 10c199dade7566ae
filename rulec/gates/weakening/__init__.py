"""Two states of a repository: what the later takes from the gate that it has to pass."""
