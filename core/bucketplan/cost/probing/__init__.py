"""Points and checks, measured with a training step of the user's own."""
