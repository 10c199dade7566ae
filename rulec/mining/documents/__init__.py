"""Instruction files of a repository: the sentences in them that say how to work."""
