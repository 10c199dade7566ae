"""Commands, variables and program texts that would disarm the gate."""
