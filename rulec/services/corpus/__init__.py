"""rulec mine-corpus: the transcripts of many repositories, mined by an engine."""
