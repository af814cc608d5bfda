"""Faults done to a running pipeline, and the demand that its tables stay what the log says."""
