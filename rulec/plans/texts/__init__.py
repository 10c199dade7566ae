"""The texts of plans: what steps a Markdown or JSON text has, and what each names."""
