"""A cost model from measured points, and how far it can be trusted."""
