"""The whole pipeline as processes of one machine, without containers."""
