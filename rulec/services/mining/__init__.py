"""Where rules come from: transcripts and instruction documents -> candidates -> what a person is asked about."""
