"""The rulebook and its files: rules, evidence, settings, suppressions, locks; and how sure each rule is."""
