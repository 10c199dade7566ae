"""The rulebook and its files: rules, evidence, settings, exceptions, locks; and how sure each rule is."""
