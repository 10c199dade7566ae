"""What a person's sentence says for certain: explicit forms with literal parts, and nothing else."""
