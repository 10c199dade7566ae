"""The rulebook as a plan, the plan as compiled checks, and these as the files in a repository."""
