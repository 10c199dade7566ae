"""How plans are written: Markdown lists, JSON and prose into items, and back with the rules by step."""
