"""What the checks find in a change, and what a gate makes of each finding."""
