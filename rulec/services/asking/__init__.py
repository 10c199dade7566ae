"""What a model is asked about candidates: doubtful resolutions and checks, and who may read transcripts."""
