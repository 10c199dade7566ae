"""What rulec doctor looks at: hooks, agents' settings, the rulebook, tools and models."""
