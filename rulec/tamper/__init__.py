"""What would disarm the gate: protected paths, and the commands, variables, scripts and settings that lead past it."""
