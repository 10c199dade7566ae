"""What all agents share: the form of an AgentSpec, of a question and its answer, and how a tool's arguments are read as actions."""
