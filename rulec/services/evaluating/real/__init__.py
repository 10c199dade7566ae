"""Real agents at work on the tasks of an evaluation."""
