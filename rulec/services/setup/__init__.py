"""Setting up: init, git hooks, compile, export, snapshot, extend."""
