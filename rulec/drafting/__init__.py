"""Offline drafting: a sentence, or an offence with its fix, -> drafts of checks; no effects and no model."""
