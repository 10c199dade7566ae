"""The files of a corpus: its transcripts in a folder or an S3 bucket, and what a run has learned of them."""
