"""Coding agents: one AgentSpec each, and how their tools' arguments are read as actions."""
