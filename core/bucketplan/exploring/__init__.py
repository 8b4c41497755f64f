"""Plans beside each other: what-ifs that compute only what the last knob moved."""
