"""What a session did and said, act by act, and the checks on it: what had to come first, what a reply says."""
