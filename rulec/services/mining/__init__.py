"""Transcripts -> candidates -> what a person is asked about."""
