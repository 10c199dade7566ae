"""Checks of what an agent is about to do, decided in-process by what its hooks run, too."""
