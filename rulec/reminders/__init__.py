"""The few rules that are worth saying now: to whom, for which task, in which words."""
