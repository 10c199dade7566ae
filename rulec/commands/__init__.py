"""One verb per file: where pure stages meet effects."""
