"""The figures of a plan, a concern a file, and the report that gathers them."""
