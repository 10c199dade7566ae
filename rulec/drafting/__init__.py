"""Offline drafting: a sentence, or an offence with its fix, -> drafts of checks; without effects and without a model."""
