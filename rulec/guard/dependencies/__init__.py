"""What a change or a command brings into a project's dependencies."""
