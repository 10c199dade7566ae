"""A session as a model is shown it, and what may be relied on of the answer."""
