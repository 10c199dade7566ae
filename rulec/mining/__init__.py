"""Human turns into corrections: questions to a reader, and what the transcript bears out of its answers."""
