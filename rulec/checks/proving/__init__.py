"""Whether a check may act: its examples, variants of them, replay and innocents."""
