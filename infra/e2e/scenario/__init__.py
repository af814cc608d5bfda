"""The end-to-end run: a whole stack of its own, real load, poison on the topic, a killed TaskManager."""
