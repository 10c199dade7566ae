"""Benchmarks: what rulec costs, what it finds, and whether it survives; one program a file."""
