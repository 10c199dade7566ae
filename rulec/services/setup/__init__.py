"""Setting up: init, git hooks, the merge driver, compile, extend, snapshot."""
