"""Use cases: what each command does, by subject; nothing here prints."""
