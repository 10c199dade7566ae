"""Where a change is judged, by rules that it cannot edit: at a commit, its message, a push, in CI and a turn's end."""
