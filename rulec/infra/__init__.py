"""What touches the machine: git, processes, local state, files on disk, the clock."""
