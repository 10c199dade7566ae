"""What git commands do: the branch they run on, the files they write, the repository and the message."""
