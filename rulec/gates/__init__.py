"""Where a change is judged: at a commit, its message, a push, in CI and at the end of a turn, by rules that the change cannot edit."""
