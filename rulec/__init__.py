"""rulec: corrections of coding agents, compiled into checks."""

__version__ = "0.1.0"
