"""Secrets in texts: found and redacted, and the stand-ins that examples hold for them."""
