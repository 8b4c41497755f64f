"""Trainers, a file each: what their configurations say, and how an order gets into them."""
