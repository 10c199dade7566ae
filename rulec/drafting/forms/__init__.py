"""Explicit sentence forms: a template's own ways to be said in a sentence, whose parameters stand there literally."""
