"""The arrows of the flow: one file, one public function, no effects."""
