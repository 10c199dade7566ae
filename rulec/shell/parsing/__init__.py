"""From shell text to the commands it runs: words, grammar, and what wrappers, interpreters and terminals run in turn."""
