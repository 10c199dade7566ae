"""What shows that a rule was kept at a step: its check, a run of tests, or a person's approval; signed records."""
