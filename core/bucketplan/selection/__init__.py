"""Which records take part in a plan, and what that leaves out."""
