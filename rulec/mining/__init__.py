"""Human turns into corrections: questions to a reader, and the part of its answers that the transcript supports."""
