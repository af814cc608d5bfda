"""A simulated fleet through the stack, and what the jobs found of it."""
