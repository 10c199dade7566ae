"""Use cases: what each verb does, one a module; nothing here prints."""
