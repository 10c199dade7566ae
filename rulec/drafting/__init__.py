"""Evidence into drafts of checks: a sentence, or an offence with its fix; what a reader answers."""
