"""Rules held against the past: commits, sessions of agents, and what stands there already."""
