"""Types that all rooms share, as frozen values: rules, examples, changes, artifacts, findings, prompts."""
