"""The repository as git has it: one session, what commits and the index hold, changes, new commits."""
