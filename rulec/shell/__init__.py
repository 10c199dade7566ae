"""Command lines: split into words, parsed, unwrapped, matched, and read for what they do to files."""
