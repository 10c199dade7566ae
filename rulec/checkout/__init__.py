"""The checkout that a hook runs in: its folders and files, what differs from HEAD, and what is kept in its git directory."""
