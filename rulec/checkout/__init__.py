"""The checkout that a hook runs in: its files, what differs from HEAD, and what is stored in its git directory."""
