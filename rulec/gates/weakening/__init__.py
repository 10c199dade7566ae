"""What a change takes from the gates: looser rules and settings, suppressions, lost hooks; and who approved it."""
