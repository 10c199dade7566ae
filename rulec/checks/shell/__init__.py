"""Checks of the tree and the commit message: one POSIX script an artifact, all run by one shell."""
