"""What would disarm the gate: edits of protected files, and the commands, scripts and settings that lead past it."""
