"""Checks that run as processes of their own: compiled scripts, Semgrep, judges."""
