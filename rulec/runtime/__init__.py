"""What runs inside an agent's hook: standard library only, Python 3.9, copied into the repository it guards."""
