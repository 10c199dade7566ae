"""What a change takes from the gates: looser rules, settings and suppressions, lost hooks and pipelines, and who approved it."""
