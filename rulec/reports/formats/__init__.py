"""Forms of output for verdicts, one file each."""
