"""rulec eval, which measures whether corrected mistakes stay away."""
