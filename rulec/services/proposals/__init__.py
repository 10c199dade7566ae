"""A candidate or an offered rule -> a proposal: resolved, with a check that is proved."""
