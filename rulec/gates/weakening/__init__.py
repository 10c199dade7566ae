"""What a change takes from the gates: looser rules and settings, exceptions, lost hooks; and who approved it."""
