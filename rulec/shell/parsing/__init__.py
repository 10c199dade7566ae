"""From shell text to the commands it runs: words, grammar, and what wrappers and interpreters run in turn."""
