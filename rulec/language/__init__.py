"""Reading sentences: what a person's words forbid, prefer or require, with no effects and no model."""
