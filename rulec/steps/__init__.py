"""The steps of an agent's plan, the rules that apply to each, and the proofs that they were kept."""
