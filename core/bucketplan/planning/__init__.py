"""From knobs to a plan: an order of the selected records, cut into micro-batches."""
