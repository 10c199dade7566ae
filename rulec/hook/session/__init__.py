"""What hooks do over a session: at its start, at a person's prompt, at the end of a turn, and what they remember."""
