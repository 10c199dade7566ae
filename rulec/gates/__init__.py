"""Where a change is judged: by the rules it cannot edit, at a commit, its message, a push, in CI and at the end of a turn."""
