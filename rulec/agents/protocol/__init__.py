"""What all agents share: the form of their specs, their questions and answers, and tools' arguments as actions."""
