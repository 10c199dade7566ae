"""Plans of agents: their steps, the rules of each, and whether these were checked, tested or approved."""
