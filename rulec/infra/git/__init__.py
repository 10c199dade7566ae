"""The repository as git has it: one session, the contents of commits and the index, changes, new commits."""
