"""What agents record of a session, as events of the past; formats/ reads whole transcripts into turns."""
