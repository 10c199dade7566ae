"""Gates and documents that rulec writes its part into: one file each."""
