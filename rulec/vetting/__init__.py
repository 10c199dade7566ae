"""Checks in somebody's own text, a script or a Semgrep rule: what may stand in one, whoever wrote it."""
