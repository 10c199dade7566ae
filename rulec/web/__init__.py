"""The page: rules, queue, plan, evidence and history in the browser; a second face beside the command line."""
