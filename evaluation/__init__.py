"""rulec's own experiment, its benchmarks and their cases: what a checkout has and no wheel."""
