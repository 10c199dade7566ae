"""What would disarm the gate: protected files, edits of them, and the commands, scripts and settings that lead past it."""
