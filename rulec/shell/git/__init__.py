"""What git commands say of branches, repositories and commit messages."""
