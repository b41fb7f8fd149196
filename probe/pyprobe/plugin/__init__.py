"""assay's probe: what is imported while a deadline is armed. Runs inside pytest."""
