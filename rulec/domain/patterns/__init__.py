"""Patterns of people for commands and texts: who can read them, how long a search takes, and their POSIX form."""
