"""How a correction's evidence chooses a template and its parameters: one file a family of templates."""
