"""Rulebooks on disk: that of the work tree, those of other teams, and the person's."""
